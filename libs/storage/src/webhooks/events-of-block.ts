import { postedBlock, postedTransaction, postedWithTransactions } from '@roundhouse/blocks';
import {
  CORE_TYPE_GROUP,
  TransactionType,
  type Block,
  type Network,
  type SlotsOfBlock,
} from '@roundhouse/chain';

/** Whose wallets are an event's data. */
export interface WalletsOf {
  /** The round that begins here: its forgers', as they were when it began. */
  readonly firstHeight: number;
  /** One wallet: that of the delegate with this public key. */
  readonly publicKey?: string;
}

/** An event as webhooks are told of it. `data` is JSON, and null if the event has none, or if only the tables hold it. */
export interface WebhookEvent {
  readonly event: string;
  readonly data: string | null;
  readonly walletsOf?: WalletsOf;
}

/** Events of single transactions, by type group and type (`emitEvents` of Core 3.9's handlers). */
const OF_TYPES: Readonly<Record<string, string>> = {
  [`${CORE_TYPE_GROUP}/${TransactionType.DelegateRegistration}`]: 'delegate.registered',
  [`${CORE_TYPE_GROUP}/${TransactionType.DelegateResignation}`]: 'delegate.resigned',
  '2/0': 'business.registered',
  '2/1': 'business.resigned',
  '2/2': 'business.updated',
  '2/3': 'bridgechain.registered',
  '2/4': 'bridgechain.resigned',
  '2/5': 'bridgechain.updated',
};

/** Its wallet is a copy, made when the round began. */
export const FORGER_MISSING = 'forger.missing';

/** The events of a node that follow from its blocks. */
export const KNOWN_EVENTS: readonly string[] = [
  'block.applied',
  'block.forged',
  'block.received',
  'block.reverted',
  'transaction.applied',
  'transaction.forged',
  'transaction.reverted',
  'wallet.vote',
  'wallet.unvote',
  FORGER_MISSING,
  'round.missed',
  'round.created',
  'round.applied',
  'crypto.milestone.changed',
  ...Object.values(OF_TYPES),
];

/** Makes the events that somebody wants, and no others. */
class Telling {
  readonly told: WebhookEvent[] = [];

  constructor(
    private readonly wanted: ReadonlySet<string>,
    private readonly network: Network,
  ) {}

  add(event: string, data: () => unknown): void {
    if (this.wanted.has(event)) this.told.push({ event, data: JSON.stringify(data()) });
  }

  addEmpty(event: string): void {
    if (this.wanted.has(event)) this.told.push({ event, data: null });
  }

  addWallets(event: string, walletsOf: WalletsOf): void {
    if (this.wanted.has(event)) this.told.push({ event, data: null, walletsOf });
  }

  /** At a height where the rules change. */
  addMilestone(at: number): void {
    if (this.network.milestones.some(({ height }) => height === at))
      this.addEmpty('crypto.milestone.changed');
  }
}

/** What a webhook is told of a transaction that stands in a block. */
const inBlock = ({ id: blockId, height: blockHeight, transactions }: Block, place: number, byte: number) => ({
  ...postedTransaction(transactions[place]!, byte),
  blockId,
  blockHeight,
  sequence: place,
});

/**
 * What a node tells of a block that it applied, in its order (core-state 3.9, `DatabaseInteraction.applyBlock`, `RoundState`):
 * received and forged, the missed slots, the milestone, the round's end, each transaction, and the block. Nothing of the
 * genesis block.
 */
export const eventsOfBlock = (
  block: Block,
  network: Network,
  wanted: ReadonlySet<string>,
  { firstHeight, missing, missedRound }: SlotsOfBlock,
): WebhookEvent[] => {
  if (block.height === 1) return [];
  const { pubKeyHash } = network;
  const telling = new Telling(wanted, network);
  telling.add('block.received', () => postedWithTransactions(block, pubKeyHash));
  telling.add('block.forged', () => postedBlock(block));
  for (const transaction of block.transactions)
    telling.add('transaction.forged', () => postedTransaction(transaction, pubKeyHash));
  for (const publicKey of missing) telling.addWallets(FORGER_MISSING, { firstHeight, publicKey });
  telling.addMilestone(block.height);
  if (missedRound !== null) {
    const next = { firstHeight: block.height + 1 };
    for (const publicKey of missedRound) telling.addWallets('round.missed', { ...next, publicKey });
    telling.addWallets('round.created', next);
    telling.addEmpty('round.applied');
  }
  block.transactions.forEach(({ typeGroup, type, asset }, place) => {
    const data = () => inBlock(block, place, pubKeyHash);
    telling.add('transaction.applied', data);
    const ofType = OF_TYPES[`${typeGroup}/${type}`];
    if (ofType !== undefined) telling.add(ofType, data);
    if (typeGroup !== CORE_TYPE_GROUP || type !== TransactionType.Vote) return;
    for (const delegate of asset?.votes ?? [])
      telling.add(delegate.startsWith('+') ? 'wallet.vote' : 'wallet.unvote', () => ({
        delegate,
        transaction: data(),
      }));
  });
  telling.add('block.applied', () => postedBlock(block));
  return telling.told;
};

/** What it tells of a block that it undid: its transactions from the last to the first, then the block. */
export const eventsOfUndone = (
  block: Block,
  network: Network,
  wanted: ReadonlySet<string>,
): WebhookEvent[] => {
  const telling = new Telling(wanted, network);
  for (let place = block.transactions.length - 1; place >= 0; place -= 1)
    telling.add('transaction.reverted', () => inBlock(block, place, network.pubKeyHash));
  telling.add('block.reverted', () => postedBlock(block));
  telling.addMilestone(block.height - 1);
  return telling.told;
};
