/** The node whose answers these are. */
export const NODE_VERSION = '3.9.1';

/** How a node's pool is set unless its operator changes it: wallets compute fees from it. */
export const POOL = {
  dynamicFees: {
    enabled: true,
    minFeePool: 3000,
    minFeeBroadcast: 3000,
    addonBytes: {
      transfer: 100,
      secondSignature: 250,
      delegateRegistration: 400_000,
      vote: 100,
      multiSignature: 500,
      ipfs: 250,
      multiPayment: 500,
      delegateResignation: 100,
      htlcLock: 100,
      htlcClaim: 0,
      htlcRefund: 0,
    },
  },
  maxTransactionsInPool: 15_000,
  maxTransactionsPerSender: 150,
  maxTransactionsPerRequest: 40,
  maxTransactionAge: 2700,
  maxTransactionBytes: 2_000_000,
} as const;
