import { addressOf } from '../accounts/address.js';
import type { LedgerBlock } from '../blocks/block.js';
import { sha256 } from '../crypto/hashes.js';
import type { Network } from '../network/network.js';
import { parseNetwork } from '../network/parse-network.js';
import { TransactionType, type LedgerTransaction } from '../transactions/transaction.js';
import { applyBlock } from './apply-block.js';
import { Ledger } from './ledger.js';
import type { Account, Delegate } from './state.js';

const PUB_KEY_HASH = 23;
/** The amount that each named account gets at genesis. */
export const GIVEN = 1_000_000n;
export const REWARD = 7n;
export const FEE = 10n;

const NAMES = ['alice', 'bob', 'carol', 'dave', 'erin'] as const;
type Name = (typeof NAMES)[number];

export const keyOf = (name: string): string => `02${sha256(name).toString('hex')}`;
export const addressFor = (name: string): string => addressOf(keyOf(name), PUB_KEY_HASH);

const networkOf = (activeDelegates: number, later: readonly { readonly height: number }[]): Network =>
  parseNetwork({
    network: {
      name: 'small',
      nethash: sha256('small').toString('hex'),
      pubKeyHash: PUB_KEY_HASH,
      client: { token: 'S', symbol: 's', explorer: 'http://explorer.invalid' },
    },
    milestones: [
      {
        height: 1,
        reward: 0,
        activeDelegates,
        blocktime: 2,
        epoch: '2017-03-21T13:00:00.000Z',
        fees: { staticFees: { transfer: 1, secondSignature: 2, delegateRegistration: 3 } },
      },
      { height: 2, reward: Number(REWARD) },
      ...later,
    ],
  });

type Draft = Partial<Omit<LedgerTransaction, 'id' | 'senderPublicKey'>> & { readonly from: string };

/**
 * A chain that forges on demand, with two delegates (alice and bob, each voting for itself) and three more accounts.
 */
export class SmallChain {
  readonly ledger: Ledger;
  private transactions = 0;

  /** `later`: further milestones. */
  constructor(keepsHistory = false, activeDelegates = 2, later: readonly { readonly height: number }[] = []) {
    this.ledger = Ledger.empty(networkOf(activeDelegates, later));
    this.ledger.keepsHistory = keepsHistory;
    this.forge('genesis', [
      ...NAMES.map((name) => ({ from: 'genesis', fee: 0n, amount: GIVEN, recipientId: addressFor(name) })),
      ...['alice', 'bob'].map((from) => ({
        from,
        fee: 0n,
        type: TransactionType.DelegateRegistration,
        asset: { username: from },
      })),
      ...['alice', 'bob'].map((from) => ({
        from,
        fee: 0n,
        type: TransactionType.Vote,
        asset: { votes: [`+${keyOf(from)}`] },
      })),
    ]);
  }

  /** The next block, at `timestamp`; by default in the slot of its height. */
  next(generator: string, timestamp?: number, drafts: readonly Draft[] = []): LedgerBlock {
    const transactions = drafts.map(({ from, ...draft }): LedgerTransaction => {
      this.transactions += 1;
      return {
        id: sha256(`transaction ${this.transactions}`).toString('hex'),
        type: TransactionType.Transfer,
        typeGroup: 1,
        senderPublicKey: keyOf(from),
        recipientId: null,
        amount: 0n,
        fee: FEE,
        asset: null,
        ...draft,
      };
    });
    const height = (this.ledger.head?.height ?? 0) + 1;
    return {
      id: String(1000 + height),
      height,
      timestamp: timestamp ?? height * 2,
      previousBlock: this.ledger.head?.id ?? '0',
      numberOfTransactions: transactions.length,
      totalAmount: transactions.reduce((sum, { amount }) => sum + amount, 0n),
      totalFee: transactions.reduce((sum, { fee }) => sum + fee, 0n),
      reward: height === 1 ? 0n : REWARD,
      generatorPublicKey: keyOf(generator),
      transactions,
    };
  }

  /** Applies one block forged by `generator`, whoever has the slot. Returns the ids of its transactions. */
  forge(generator: string, drafts: readonly Draft[] = []): string[] {
    const block = this.next(generator, undefined, drafts);
    applyBlock(this.ledger, block, true);
    return block.transactions.map(({ id }) => id);
  }

  account(name: Name): Account {
    return this.ledger.accounts.get(addressFor(name))!;
  }

  delegate(name: string): Delegate {
    return this.ledger.delegates.get(keyOf(name))!;
  }
}
