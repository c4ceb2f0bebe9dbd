import { computeBlockId, computePayloadHash } from '@roundhouse/blocks';
import {
  addressOf,
  admitForger,
  applyBlock,
  forgerAt,
  Ledger,
  sha256,
  TransactionType,
  type Block,
  type ForgerList,
  type Network,
  type Transaction,
} from '@roundhouse/chain';
import { Random } from './random.js';
import { RandomTraffic, testPublicKey, unvaried } from './random-traffic.js';
import { testNetwork } from './test-network.js';
import { withId } from './with-id.js';

export interface RandomChainOptions {
  readonly seed: number;
  readonly blocks: number;
  /** (Default: 40) */
  readonly accounts?: number;
  /** From this height on, the chain differs from that of the same seed without this option. */
  readonly forkFrom?: number;
}

export interface RandomChain {
  readonly network: Network;
  readonly blocks: readonly Block[];
}

const GENESIS_DELEGATES = 9;
/** Odd and beyond 2^53, so that a lossy amount cannot pass. */
const GENESIS_AMOUNT = 31_250_000_000_000_001n;

/** 64 bytes in hex, as long as a signature. */
const signatureLike = (text: string): string => sha256(text).toString('hex').repeat(2);

const genesisTransactions = (keys: readonly string[], pubKeyHash: number): Omit<Transaction, 'id'>[] => {
  const none = { ...unvaried, version: 1, timestamp: 0, nonce: null, fee: 0n };
  const delegates = keys.slice(1, 1 + GENESIS_DELEGATES);
  return [
    ...keys.slice(1).map((key) => ({
      ...none,
      type: TransactionType.Transfer,
      senderPublicKey: keys[0]!,
      amount: GENESIS_AMOUNT,
      recipientId: addressOf(key, pubKeyHash),
    })),
    ...delegates.map((senderPublicKey, index) => ({
      ...none,
      type: TransactionType.DelegateRegistration,
      senderPublicKey,
      asset: { username: `genesis_${index}` },
    })),
    ...delegates.map((senderPublicKey) => ({
      ...none,
      type: TransactionType.Vote,
      senderPublicKey,
      asset: { votes: [`+${senderPublicKey}`] },
    })),
  ];
};

/** Builds blocks on its own ledger, so that each one is valid after those before it. */
class RandomChainBuilder {
  readonly blocks: Block[] = [];
  private readonly ledger: Ledger;
  private readonly keys: readonly string[];
  private random: Random;
  private readonly restarts: Random;
  private list!: ForgerList;

  constructor(
    private readonly network: Network,
    private readonly seed: number,
    accounts: number,
  ) {
    this.ledger = Ledger.empty(network);
    this.random = new Random(seed);
    this.restarts = new Random(seed ^ 0x3e57);
    this.keys = Array.from({ length: accounts }, (_, index) => testPublicKey(seed, index));
  }

  reseed(seed: number): void {
    this.random = new Random(seed);
  }

  forge(): void {
    const { ledger, random, network } = this;
    const previous = this.blocks.at(-1);
    const height = (previous?.height ?? 0) + 1;
    const traffic = new RandomTraffic(random, this.keys, network.pubKeyHash);
    const drafts = previous
      ? traffic.transactions(ledger, random.below(9))
      : genesisTransactions(this.keys, network.pubKeyHash);
    const transactions = drafts.map((draft, index) => {
      const signature = signatureLike(`${this.seed} ${height} ${index} ${random.next()}`);
      return withId({ ...draft, signature }, network.pubKeyHash);
    });
    const timestamp = previous ? this.nextTimestamp(previous) : 0;
    const header = {
      version: 0,
      height,
      timestamp,
      previousBlock: previous?.id ?? '0',
      numberOfTransactions: transactions.length,
      totalAmount: transactions.reduce((sum, { amount }) => sum + amount, 0n),
      totalFee: transactions.reduce((sum, { fee }) => sum + fee, 0n),
      reward: ledger.milestones.at(height).reward,
      payloadLength: 32 * transactions.length,
      payloadHash: previous ? computePayloadHash(transactions.map(({ id }) => id)) : network.nethash,
      generatorPublicKey: previous ? this.forger(timestamp, height) : this.keys[0]!,
      blockSignature: sha256(`${height} ${random.next()}`).toString('hex'),
    };
    const block = { ...header, id: computeBlockId(header, false), transactions };
    admitForger(ledger, block);
    applyBlock(ledger, block);
    this.blocks.push(block);
  }

  private nextTimestamp(previous: Block): number {
    const { blocktime } = this.ledger.milestones.at(previous.height + 1);
    let timestamp = previous.timestamp + blocktime;
    while (this.random.chance(0.25)) timestamp += blocktime;
    return timestamp;
  }

  private forger(timestamp: number, height: number): string {
    if (this.ledger.forged.every((block) => block.height === 1)) this.list = this.nextList();
    return forgerAt(this.list, this.ledger.slotOf({ height, timestamp }));
  }

  /** The list of the nodes, which sometimes restart, and are all of Core 2 or all of Core 3. */
  private nextList(): ForgerList {
    const { candidates, round } = this.ledger;
    const lists = [round!, ...candidates];
    const slots = lists.map(({ firstSlot }) => firstSlot);
    const firstSlot = this.seed % 2 === 0 ? Math.min(...slots) : Math.max(...slots);
    const possible = lists.filter((list) => list.firstSlot === firstSlot);
    return this.restarts.chance(0.5) ? possible[0]! : this.restarts.pick(possible);
  }
}

/**
 * A valid chain with all kinds of transactions. The same options give the same chain. Ids are real, signatures are
 * not.
 */
export const randomChain = ({ seed, blocks, accounts = 40, forkFrom }: RandomChainOptions): RandomChain => {
  const network = testNetwork(seed);
  const builder = new RandomChainBuilder(network, seed, accounts);
  for (let height = 1; height <= blocks; height += 1) {
    if (height === forkFrom) builder.reseed(seed ^ 0x5f0f);
    builder.forge();
  }
  return { network, blocks: builder.blocks };
};
