import type { Milestone } from '@roundhouse/chain';

/** What distinguishes chains of the family. */
export interface ChainForm {
  readonly activeDelegates: number;
  /** The first byte of an address. */
  readonly pubKeyHash: number;
}

export const ACTIVE_DELEGATES = 51;
export const PUB_KEY_HASH = 30;
export const DEFAULT_FORM: ChainForm = { activeDelegates: ACTIVE_DELEGATES, pubKeyHash: PUB_KEY_HASH };
export const MAX_TRANSACTIONS_PER_BLOCK = 150;
export const MAX_PAYMENTS = 256;
/** Fees in arktoshi, named as in the milestones. */
export const STATIC_FEES = {
  transfer: 10_000_000,
  secondSignature: 500_000_000,
  delegateRegistration: 2_500_000_000,
  vote: 100_000_000,
  multiSignature: 500_000_000,
  ipfs: 500_000_000,
  multiPayment: 10_000_000,
  delegateResignation: 2_500_000_000,
  htlcLock: 10_000_000,
  htlcClaim: 0,
  htlcRefund: 0,
} as const;

/** A network configuration as in `node/configuration/crypto` and in a network file. */
export interface NetworkConfig {
  readonly network: {
    readonly name: string;
    readonly messagePrefix: string;
    readonly bip32: { readonly public: number; readonly private: number };
    readonly pubKeyHash: number;
    readonly nethash: string;
    readonly wif: number;
    readonly slip44: number;
    readonly aip20: number;
    readonly client: { readonly token: string; readonly symbol: string; readonly explorer: string };
  };
  readonly milestones: readonly Milestone[];
  readonly exceptions: Record<string, never>;
}

export interface ChainTiming {
  /** Second 0 of the chain, ISO 8601 in UTC. */
  readonly epoch: string;
  /** The seconds from one slot to the next. */
  readonly blockTime: number;
  /** A milestone with another block time. */
  readonly blockTimeChange?: { readonly height: number; readonly blockTime: number } | undefined;
}

/** The first height with a reward. */
const REWARD_HEIGHT = 75;

const milestones = (
  { epoch, blockTime, blockTimeChange }: ChainTiming,
  { activeDelegates }: ChainForm,
): readonly Milestone[] => [
  {
    height: 1,
    reward: 0,
    activeDelegates,
    blocktime: blockTime,
    block: { version: 0, maxTransactions: MAX_TRANSACTIONS_PER_BLOCK, maxPayload: 2_097_152 },
    epoch,
    fees: { staticFees: STATIC_FEES },
    vendorFieldLength: 64,
    multiPaymentLimit: MAX_PAYMENTS,
  },
  { height: 2, aip11: true, htlcEnabled: true, aip36: true, aip37: true },
  { height: REWARD_HEIGHT, reward: 200_000_000 },
  ...(blockTimeChange ? [{ height: blockTimeChange.height, blocktime: blockTimeChange.blockTime }] : []),
];

/** The network of the chain. Only its epoch depends on when it was made, and no id depends on the epoch. */
export const devnetNetwork = (
  nethash: string,
  timing: ChainTiming,
  form: ChainForm = DEFAULT_FORM,
): NetworkConfig => ({
  network: {
    name: 'roundhouse',
    messagePrefix: 'Roundhouse message:\n',
    bip32: { public: 46_090_600, private: 46_089_520 },
    pubKeyHash: form.pubKeyHash,
    nethash,
    wif: 170,
    slip44: 1,
    aip20: 0,
    client: { token: 'RDH', symbol: 'Rh', explorer: 'http://127.0.0.1:4003/docs' },
  },
  milestones: milestones(timing, form),
  exceptions: {},
});
