import { TransactionType } from '@roundhouse/chain';
import { rewritten, type Data, type Misbehaviour } from '@roundhouse/core-node';
import type { DevnetChain } from '../chain/devnet-chain.js';

/** What a transfer is changed into. */
export const LIES = [
  'recipient',
  'amount',
  'type',
  'username',
  'lock',
  'payments',
  'nul-recipient',
  'nul-username',
] as const;

const TRANSACTIONS = /^\/api\/(transactions(\/[^/]+)?|blocks\/[^/]+\/transactions)$/;

const NUL = '\0';
const LARGEST_BIGINT = String(2n ** 63n - 1n);

const registrationOf = (username: string): Data => ({
  type: TransactionType.DelegateRegistration,
  asset: { delegate: { username } },
});

/** Each change keeps the transaction's id, and so the block's. */
type Lie = (typeof LIES)[number];

const lieOf = (chain: DevnetChain, changes: Lie): ((transfer: Data) => Data) => {
  const [delegate] = chain.state.ledger.delegates.values();
  const { address, username } = delegate!;
  switch (changes) {
    case 'recipient':
      return () => ({ recipientId: address });
    case 'amount':
      return ({ amount }) => ({ amount: String(BigInt(amount as string) + 1n) });
    case 'type':
      return () => ({ type: TransactionType.DelegateResignation });
    case 'username':
      return () => registrationOf(username);
    case 'lock':
      return () => ({
        type: TransactionType.HtlcClaim,
        asset: { claim: { lockTransactionId: 'ab'.repeat(32), unlockSecret: 'cd'.repeat(32) } },
      });
    case 'payments':
      return () => ({
        type: TransactionType.MultiPayment,
        asset: { payments: [1, 2].map(() => ({ amount: LARGEST_BIGINT, recipientId: address })) },
      });
    case 'nul-recipient':
      return ({ recipientId }) => ({ recipientId: String(recipientId).slice(0, -1) + NUL });
    case 'nul-username':
      return () => registrationOf(`a${NUL}b`);
  }
};

/** Shows transfers with changed contents but correct ids, in blocks with correct headers, in the untransformed form. */
export const lyingContents = (chain: DevnetChain, changes: Lie): Misbehaviour => {
  const lie = lieOf(chain, changes);
  return rewritten(TRANSACTIONS, (shown) =>
    shown['type'] === TransactionType.Transfer &&
    shown['typeGroup'] === 1 &&
    shown['recipientId'] !== undefined
      ? { ...shown, ...lie(shown) }
      : shown,
  );
};
