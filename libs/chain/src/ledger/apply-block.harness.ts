import type { Block } from '../blocks/block.js';
import { sha256 } from '../crypto/crypto.js';
import { FIRST } from '../network/milestones.harness.js';
import type { Network } from '../network/network.js';
import { parseNetwork } from '../network/parse-network.js';
import { TransactionType, type Transaction } from '../transactions/transaction.js';
import { applyBlock } from './apply-block.js';
import { Ledger } from './ledger.js';
import * as send from './send.harness.js';
import { addressFor, keyOf, PUB_KEY_HASH, type Draft } from './send.harness.js';
import type { Account, Delegate } from './state.js';

/** The amount that each named account gets at genesis. */
export const GIVEN = 1_000_000n;
export const REWARD = 7n;
export const FEE = 10n;

const NAMES = ['alice', 'bob', 'carol', 'dave', 'erin'] as const;
type Name = (typeof NAMES)[number];

const networkOf = (activeDelegates: number, later: readonly { readonly height: number }[]): Network =>
  parseNetwork({
    network: {
      name: 'small',
      nethash: sha256('small').toString('hex'),
      pubKeyHash: PUB_KEY_HASH,
      client: { token: 'S', symbol: 's', explorer: 'http://explorer.invalid' },
    },
    milestones: [
      { ...FIRST, activeDelegates, blocktime: 2 },
      { height: 2, reward: Number(REWARD) },
      ...later,
    ],
  });

/** The fields of a transaction that no ledger reads. */
const UNCOUNTED = {
  version: 2,
  network: PUB_KEY_HASH,
  timestamp: null,
  nonce: 1n,
  expiration: 0,
  vendorField: null,
  signature: null,
  secondSignature: null,
  signatures: null,
};

const free = (draft: Draft): Draft => ({ ...draft, fee: 0n });

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
      ...NAMES.map((name) => free(send.pay('genesis', name, GIVEN))),
      ...['alice', 'bob'].map((name) => free(send.register(name))),
      ...['alice', 'bob'].map((name) => free(send.vote(name, `+${name}`))),
    ]);
  }

  /** The next block, at `timestamp`; by default in the slot of its height. */
  next(generator: string, timestamp?: number, drafts: readonly Draft[] = []): Block {
    const transactions = drafts.map(({ from, ...draft }): Transaction => {
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
        ...UNCOUNTED,
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
      version: 0,
      payloadLength: 32 * transactions.length,
      payloadHash: '',
      blockSignature: '',
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
