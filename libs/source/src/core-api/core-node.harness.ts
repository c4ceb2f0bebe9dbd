import { readRecording } from '@roundhouse/testing';
import type { JsonObject } from '@roundhouse/blocks';
import { addressOf, TransactionType } from '@roundhouse/chain';
import { TestNode, type Answer, type Request } from '../node.harness.js';

/** A block in the form that a peer sends, which is also the form of an archive line. */
export interface RawBlock extends JsonObject {
  readonly height: number;
  readonly id: string;
  readonly transactions: readonly JsonObject[];
}

export const recordedChain = (recording: 'core-2.4' | 'core-3.9'): RawBlock[] =>
  readRecording<RawBlock>(recording, 'chain.ndjson.gz');

/** The blocks of core-2.4 up to height 300, followed by the branch that was recorded with them. */
export const recordedFork = (): RawBlock[] => [
  ...recordedChain('core-2.4').slice(0, 300),
  ...readRecording<RawBlock>('core-2.4', 'fork-from-301.ndjson.gz'),
];

// 2.x returns amounts as numbers.
const number = (value: unknown): bigint => BigInt(value as string);

const shownBlock = (block: RawBlock): JsonObject => ({
  id: block.id,
  version: block['version'],
  height: block.height,
  previous: block['previousBlock'],
  forged: {
    reward: number(block['reward']),
    fee: number(block['totalFee']),
    amount: number(block['totalAmount']),
  },
  payload: { hash: block['payloadHash'], length: block['payloadLength'] },
  generator: { publicKey: block['generatorPublicKey'] },
  signature: block['blockSignature'],
  transactions: block['numberOfTransactions'],
  timestamp: { epoch: block['timestamp'] },
});

const shownTransaction = ({ id: blockId }: RawBlock, transaction: JsonObject): JsonObject => {
  const { recipientId, amount, fee, timestamp, secondSignature, ...rest } = transaction;
  const { network, expiration: _, vendorFieldHex: __, ...shown } = rest;
  return {
    ...shown,
    blockId,
    sender: addressOf(shown['senderPublicKey'] as string, network as number),
    recipient: recipientId,
    amount: number(amount),
    fee: number(fee),
    signSignature: secondSignature,
    timestamp: { epoch: timestamp },
  };
};

interface Bounds {
  readonly from: number;
  readonly to: number;
}

interface Search {
  readonly height?: Bounds;
  readonly timestamp?: Bounds;
}

const isWithin = (value: number, bounds: Bounds | undefined): boolean =>
  bounds === undefined || (value >= bounds.from && value <= bounds.to);

/** As Core 2.4.15 answers. */
export const OLD_TYPES = {
  Transfer: 0,
  SecondSignature: 1,
  DelegateRegistration: 2,
  Vote: 3,
  MultiSignature: 4,
  Ipfs: 5,
  TimelockTransfer: 6,
  MultiPayment: 7,
  DelegateResignation: 8,
};

/** As Core 3.9.1 answers; 2.6 and 2.7 have the same form. */
export const TYPES = {
  '1': TransactionType,
  '2': {
    BusinessRegistration: 0,
    BusinessResignation: 1,
    BusinessUpdate: 2,
    BridgechainRegistration: 3,
    BridgechainResignation: 4,
    BridgechainUpdate: 5,
    Entity: 6,
  },
};

const NOTHING: Answer = { status: 404, body: { statusCode: 404, error: 'Not Found', message: 'Not Found' } };

/**
 * Answers the requests of a source like the public API of a Core node that has `blocks`. A test may change `blocks` at
 * any time.
 */
export class CoreNode {
  blocks: readonly RawBlock[];
  /** What the node answers to `transactions/types`. */
  types: JsonObject;
  /** Called first. Its result is the answer; undefined leaves the answer to the chain. */
  intercept: (request: Request) => Answer | null | undefined = () => undefined;
  readonly server: TestNode;
  private readonly root: string;

  constructor(
    readonly line: '2.x' | '3.x',
    recording: 'core-2.4' | 'core-3.9',
  ) {
    this.blocks = recordedChain(recording);
    this.root = line === '2.x' ? '/api/v2' : '/api';
    this.types = line === '2.x' ? OLD_TYPES : TYPES;
    this.server = new TestNode((request) => {
      const intercepted = this.intercept(request);
      return intercepted === undefined ? this.answer(request) : intercepted;
    });
  }

  answer({ path, payload }: Pick<Request, 'path' | 'payload'>): Answer {
    const url = new URL(path, 'http://node');
    const belongs = this.line === '2.x' || !url.pathname.startsWith('/api/v2');
    if (!belongs || !url.pathname.startsWith(`${this.root}/`)) return NOTHING;
    const relative = url.pathname.slice(this.root.length);
    const found = payload
      ? this.search(relative, payload, url.searchParams)
      : this.find(relative, url.searchParams);
    return found === undefined ? NOTHING : { body: { data: found } };
  }

  /** Only 2.x has searches. They answer newest first. */
  private search(path: string, { height, timestamp }: Search, query: URLSearchParams): unknown {
    if (this.line === '3.x') return undefined;
    const chosen = this.blocks.filter(
      (block) => isWithin(block.height, height) && isWithin(block['timestamp'] as number, timestamp),
    );
    if (path === '/blocks/search') return page(chosen.map((block) => this.show(block)).reverse(), query);
    if (path !== '/transactions/search') return undefined;
    return page(this.transactionsOf(chosen.map(({ id }) => id)).reverse(), query);
  }

  private find(path: string, query: URLSearchParams): unknown {
    const [, collection, id, sub] = path.split('/');
    const head = this.blocks.at(-1)!;
    if (path === '/node/status') return { synced: true, now: head.height };
    if (path === '/node/syncing') return { syncing: false, blocks: 0, height: head.height, id: head.id };
    if (path === '/transactions/types') return this.types;
    if (collection === 'transactions') {
      return page(this.transactionsOf(query.get('blockId')!.split(',')), query);
    }
    if (collection !== 'blocks') return undefined;
    if (id === undefined) return page(this.blocksOf(query), query);
    const block = this.blocks.find((candidate) => candidate.id === id || String(candidate.height) === id);
    if (block === undefined) return undefined;
    return sub === 'transactions' ? page(this.transactionsOf([id]), query) : this.show(block);
  }

  private blocksOf(query: URLSearchParams): JsonObject[] {
    const [from, to] = [Number(query.get('height.from')), Number(query.get('height.to'))];
    return this.blocks
      .filter(({ height }) => isWithin(height, { from, to }))
      .map((block) => this.show(block));
  }

  private show(block: RawBlock): JsonObject {
    return this.line === '2.x' ? shownBlock(block) : { ...block, transactions: undefined };
  }

  private transactionsOf(ids: readonly string[]): unknown[] {
    return this.blocks
      .filter(({ id }) => ids.includes(id))
      .flatMap((block) =>
        block.transactions.map((transaction, sequence) =>
          this.line === '2.x'
            ? shownTransaction(block, transaction)
            : { ...transaction, blockId: block.id, blockHeight: block.height, sequence },
        ),
      );
  }
}

const page = <T>(all: readonly T[], query: URLSearchParams): T[] => {
  const limit = Number(query.get('limit'));
  const first = (Number(query.get('page') ?? 1) - 1) * limit;
  return all.slice(first, first + limit);
};
