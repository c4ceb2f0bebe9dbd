import {
  assertKnownRules,
  foreignRulesOf,
  NetworkConfigError,
  parseNetwork,
  type Block,
  type BlockHeader,
  type BlockRef,
  type DelegateFigures,
  type Network,
  type Transaction,
} from '@roundhouse/chain';
import type { RawSource } from '../block-source.js';
import { decodeFrom } from '../decode/decode-from.js';
import {
  blockIdOf,
  computePayloadHash,
  heightOf,
  listOf,
  objectOf,
  type JsonObject,
} from '@roundhouse/blocks';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';
import {
  CORE_LINES,
  groupBlocks,
  PAGE_LIMIT,
  type CoreLine,
  type NodeRequest,
  type PlacedTransaction,
} from './core-line.js';
import { nameOf, readNodeTypes, type NodeType } from './node-types.js';
import { decodeDelegate, decodeVoter, type DelegatesSource, type NodeVoter } from './delegates-source.js';
import { NodeHttp, type NodeHttpOptions } from './node-http.js';
import type { Urgency } from './request-budget.js';

/** The node's address without the path to the API: `http://node:4003/api/` becomes `http://node:4003`. */
const baseOf = (url: URL): URL => {
  const base = new URL(url);
  base.pathname = base.pathname.replace(/(\/api(\/v2)?)?\/*$/, '/');
  base.search = '';
  return base;
};

/** Genesis blocks of known networks have a few hundred; full blocks have up to 500. */
const MOST_TRANSACTIONS_OF_BLOCK = 100_000;

/** Transactions beyond this number are left to the next range, so that a range's memory is bounded. */
const MOST_TRANSACTIONS_OF_RANGE = 50_000;

/** A shorter range counts as a request for the newest blocks, which does not wait for other requests. */
const BULK_BLOCKS = 10;

/** For a list whose length is otherwise unknown. */
const MOST_PAGES = 10_000;

/** How much of a path a message shows: one path may name 60 blocks. */
const SHOWN_CHARACTERS = 200;

const decodeRef = (value: unknown): BlockRef => {
  const status = objectOf(value);
  return { height: heightOf(status, 'height'), id: blockIdOf(status, 'id') };
};

/** The first block that does not match its transactions or the block before it. */
const findMisfit = (blocks: readonly Block[]): Block | null =>
  blocks.find(
    (block, index) =>
      block.transactions.length !== block.numberOfTransactions ||
      (index > 0 && block.previousBlock !== blocks[index - 1]!.id),
  ) ?? null;

/** Whether these are all of the block's transactions, in their order. Nothing shows the order of the genesis block's. */
const isPayloadOf = (
  { height, numberOfTransactions, payloadHash }: BlockHeader,
  transactions: readonly Transaction[],
): boolean =>
  transactions.length === numberOfTransactions &&
  (height === 1 || computePayloadHash(transactions.map(({ id }) => id)) === payloadHash);

/** A node's public API, of Core's line 2.x or 3.x. The first request finds out which. */
export class CoreApiSource implements RawSource, DelegatesSource {
  readonly name: string;
  private readonly http: NodeHttp;
  private line: Promise<CoreLine> | null = null;
  private variant = 0;

  constructor(url: URL, options: NodeHttpOptions) {
    this.http = new NodeHttp(baseOf(url), options);
    this.name = this.http.name;
  }

  async network(): Promise<Network | null> {
    const configuration = await this.find('/node/configuration/crypto');
    if (configuration === null) return null;
    try {
      assertKnownRules(configuration);
      return parseNetwork(configuration);
    } catch (cause) {
      if (!(cause instanceof NetworkConfigError)) throw cause;
      const advice =
        foreignRulesOf(configuration).length > 0
          ? ''
          : ` Set NETWORK, or name another node in ${this.http.setting}.`;
      throw new NodeProtocolError(
        this.name,
        `${this.name} reports a network that cannot be used: ${cause.message}${advice}`,
        { cause },
      );
    }
  }

  async chainProblem(): Promise<string | null> {
    const foreign = (await this.types()).filter(({ isForeign }) => isForeign);
    if (foreign.length === 0) return null;
    return (
      `has types of transactions that ARK does not have or that mean something else there: ` +
      `${foreign.map(nameOf).join(', ')}. A chain with such transactions cannot be indexed; docs/protocol.md, ` +
      `"Sister chains", lists those that can.`
    );
  }

  /** The types of transactions that the node knows; none if it does not tell them. */
  types(): Promise<NodeType[]> {
    return readNodeTypes((path) => this.find(path));
  }

  async lineName(): Promise<CoreLine['name']> {
    return (await this.probed()).name;
  }

  async tip(): Promise<BlockRef> {
    return decodeFrom(this.name, 'its newest block', await this.get('/node/syncing'), decodeRef);
  }

  async blockIdAt(height: number): Promise<string | null> {
    const line = await this.probed();
    const request = line.blocksRequest(height, height, this.nextVariant());
    const [block] = this.pageOf(await this.answer(request, 'now'), request.path, 'a block', height);
    if (block === undefined) return null;
    const ref = decodeFrom(this.name, 'a block', block, decodeRef, height);
    this.assertHeight(ref, height, request.path);
    return ref.id;
  }

  async blocks(from: number, to: number): Promise<Block[]> {
    const urgency = to - from + 1 < BULK_BLOCKS ? 'now' : 'bulk';
    const blocks = await this.read(from, to, urgency);
    const misfit = findMisfit(blocks);
    if (misfit === null) return blocks;
    await this.assertStill(blocks, misfit);
    // Several nodes behind one address may also disagree about the newest blocks. The second reading counts.
    const again = await this.read(from, to, urgency);
    const misfitAgain = findMisfit(again);
    if (misfitAgain !== null) await this.assertStill(again, misfitAgain);
    return again;
  }

  delegates(): Promise<DelegateFigures[]> {
    return this.pages('/delegates', 'a delegate', decodeDelegate, (delegate) => delegate.publicKey);
  }

  voters(publicKey: string): Promise<NodeVoter[]> {
    return this.pages(`/delegates/${publicKey}/voters`, 'a voter', decodeVoter, (voter) => voter.address);
  }

  close(): Promise<void> {
    this.http.close();
    return Promise.resolve();
  }

  private async read(from: number, to: number, urgency: Urgency): Promise<Block[]> {
    const headers = this.atOnce(await this.headers(from, to, urgency));
    const transactions = await this.transactionsOf(headers, urgency);
    return headers.map((header) => ({ ...header, transactions: transactions.get(header.id) ?? [] }));
  }

  private async headers(from: number, to: number, urgency: Urgency): Promise<BlockHeader[]> {
    const line = await this.probed();
    const headers: BlockHeader[] = [];
    for (let next = from; next <= to;) {
      const end = Math.min(to, next + PAGE_LIMIT - 1);
      const request = line.blocksRequest(next, end, this.nextVariant());
      const { path } = request;
      const page = this.pageOf(
        await this.answer(request, urgency),
        path,
        `blocks from height ${next} on`,
        next,
      );
      const most = end - next + 1;
      if (page.length > most) throw this.tooMany(path, `${page.length} blocks`, most, next);
      const ascending = line.isNewestFirst ? page.toReversed() : page;
      for (const [index, value] of ascending.entries()) {
        const header = decodeFrom(this.name, 'a block', value, line.decodeHeader);
        // Not sorted: blocks in a wrong order are the node's fault.
        this.assertHeight(header, next + index, path);
        headers.push(header);
      }
      // Totals and page counts are estimates. A short page shows that the node ends here.
      if (page.length < most) break;
      next = end + 1;
    }
    return headers;
  }

  /** The first blocks whose transactions together fit into one range; at least one block. */
  private atOnce(headers: readonly BlockHeader[]): readonly BlockHeader[] {
    let transactions = 0;
    const end = headers.findIndex(({ height, numberOfTransactions }) => {
      if (numberOfTransactions > MOST_TRANSACTIONS_OF_BLOCK) {
        throw this.tooMany(
          '/blocks',
          `${numberOfTransactions} transactions in a block`,
          MOST_TRANSACTIONS_OF_BLOCK,
          height,
        );
      }
      transactions += numberOfTransactions;
      return transactions > MOST_TRANSACTIONS_OF_RANGE;
    });
    return end === -1 ? headers : headers.slice(0, Math.max(end, 1));
  }

  /** The transactions by block id, in payload order. */
  private async transactionsOf(
    headers: readonly BlockHeader[],
    urgency: Urgency,
  ): Promise<Map<string, readonly Transaction[]>> {
    const line = await this.probed();
    const byBlock = new Map<string, readonly Transaction[]>();
    for (const group of groupBlocks(headers, line.blocksPerTransactionQuery)) {
      const found = await this.transactionsOfGroup(line, group, urgency);
      for (const header of group) {
        const { id } = header;
        const own = found.get(id) ?? [];
        byBlock.set(id, own);
        if (group.length === 1 || isPayloadOf(header, own)) continue;
        const alone = (await this.transactionsOfGroup(line, [header], urgency)).get(id) ?? [];
        byBlock.set(id, alone);
        // The node has replaced its blocks; `findMisfit` notices.
        if (alone.length !== header.numberOfTransactions) return byBlock;
      }
    }
    return byBlock;
  }

  /** The transactions of one query, by block id. */
  private async transactionsOfGroup(
    line: CoreLine,
    group: readonly BlockHeader[],
    urgency: Urgency,
  ): Promise<Map<string, Transaction[]>> {
    const heights = new Map(group.map(({ id, height }) => [id, height]));
    const first = group[0]!.height;
    const announced = group.reduce((sum, { numberOfTransactions }) => sum + numberOfTransactions, 0);
    const placed: PlacedTransaction[] = [];
    for (let page = 1; placed.length < announced; page += 1) {
      const { path, ...rest } = line.transactionsRequest(group, page);
      const answer = await this.http.ask({ path: line.root + path, ...rest }, line.headers, urgency);
      // A node that has replaced the block no longer knows it; `assertStill` finds that out.
      if (answer.status === 404) break;
      const list = this.pageOf(answer.body, path, 'transactions', first);
      for (const value of list) {
        const height = heights.get((value as JsonObject | null)?.['blockId'] as string) ?? first;
        placed.push(decodeFrom(this.name, 'a transaction', value, line.decodeTransaction, height));
      }
      if (placed.length > announced) {
        throw this.tooMany(path, `${placed.length} transactions in all`, announced, first);
      }
      if (list.length < PAGE_LIMIT) break;
    }
    const byBlock = new Map<string, Transaction[]>();
    for (const { blockId, transaction } of line.inPayloadOrder(placed, group)) {
      const same = byBlock.get(blockId);
      if (same) same.push(transaction);
      else byBlock.set(blockId, [transaction]);
    }
    return byBlock;
  }

  /**
   * A range takes several requests, and the node may replace its newest blocks between two of them. If the parts do
   * not match, the node is asked once more. If it has other blocks by now, the answer was not wrong: try again.
   */
  private async assertStill(blocks: readonly Block[], misfit: Block): Promise<void> {
    const suspects = blocks.filter(({ height }) => height === misfit.height || height === misfit.height - 1);
    for (const { height, id } of suspects) {
      if ((await this.blockIdAt(height)) === id) continue;
      throw new NodeUnavailableError(
        this.name,
        'moved',
        `${this.name} replaced block ${height} while it was read; the range is read again.`,
      );
    }
  }

  /** Reads all pages of a list, each entry once: the list may shift between two pages. */
  private async pages<T>(
    path: string,
    what: string,
    decode: (value: unknown) => T,
    keyOf: (entry: T) => string,
  ): Promise<T[]> {
    const all = new Map<string, T>();
    for (let page = 1; ; page += 1) {
      const pagePath = `${path}?page=${page}&limit=${PAGE_LIMIT}`;
      const list = this.pageOf(await this.answer({ path: pagePath }, 'bulk'), pagePath, path, 0);
      const known = all.size;
      for (const value of list) {
        const entry = decodeFrom(this.name, what, value, decode);
        all.set(keyOf(entry), entry);
      }
      if (list.length < PAGE_LIMIT) return [...all.values()];
      if (all.size === known || page === MOST_PAGES) {
        throw this.tooMany(pagePath, `${page} pages, the last with nothing new`, page - 1);
      }
    }
  }

  /** Core 2.x caches each list, by the whole query. Answers about the newest blocks must never be old. */
  private nextVariant(): number {
    this.variant = (this.variant + 1) % PAGE_LIMIT;
    return this.variant;
  }

  private pageOf(body: unknown, path: string, what: string, height: number): readonly unknown[] {
    const list = decodeFrom(this.name, what, body, (value) => listOf(objectOf(value), 'data'), height);
    if (list.length <= PAGE_LIMIT) return list;
    throw this.tooMany(path, `${list.length} entries in a page`, PAGE_LIMIT, height);
  }

  private assertHeight(block: Pick<BlockRef, 'height'>, height: number, path: string): void {
    if (block.height === height) return;
    throw new NodeProtocolError(
      this.name,
      `${this.name} returned block ${block.height} instead of block ${height} (${path}). Check whether a cache in ` +
        `between ignores the query, or name another node in ${this.http.setting}.`,
      { height },
    );
  }

  /**
   * A node returns no more than was requested or announced, but a cache or proxy in between may return pages
   * without end.
   */
  private tooMany(path: string, what: string, most: number, height?: number): NodeProtocolError {
    const where = height ? ` at height ${height}` : '';
    return new NodeProtocolError(
      this.name,
      `${this.name} returned ${what}${where}, but at most ${most} are possible (${path.slice(0, SHOWN_CHARACTERS)}). ` +
        `Check whether a cache in between ignores the query, or name another node in ${this.http.setting}.`,
      height ? { height } : {},
    );
  }

  /** Returns the `data` of the answer to a path of the API, or null if the node has nothing there. */
  async find(path: string): Promise<unknown> {
    const line = await this.probed();
    const { status, body } = await this.http.ask({ path: line.root + path }, line.headers);
    return status === 404 ? null : decodeFrom(this.name, path, body, (value) => objectOf(value)['data']);
  }

  private async answer({ path, ...rest }: NodeRequest, urgency: Urgency): Promise<JsonObject> {
    const line = await this.probed();
    const { status, body } = await this.http.ask({ path: line.root + path, ...rest }, line.headers, urgency);
    if (status === 404) {
      // The node may have switched to the other line.
      this.line = null;
      throw this.notFound(line.root + path);
    }
    return decodeFrom(this.name, path, body, objectOf);
  }

  private async get(path: string): Promise<unknown> {
    return (await this.answer({ path }, 'now'))['data'];
  }

  private notFound(path: string): NodeProtocolError {
    return new NodeProtocolError(
      this.name,
      `${this.name} has no ${path}: check that ${this.http.setting} is the public API of a Core node of line 2.x or 3.x.`,
    );
  }

  private probed(): Promise<CoreLine> {
    this.line ??= this.probe().catch((error: unknown) => {
      this.line = null;
      throw error;
    });
    return this.line;
  }

  private async probe(): Promise<CoreLine> {
    for (const line of CORE_LINES) {
      const { status } = await this.http.ask({ path: `${line.root}/node/status` }, line.headers);
      if (status === 200) return line;
    }
    throw this.notFound('/api/node/status');
  }
}
