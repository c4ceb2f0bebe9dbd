import { decodeHeader, decodeTransaction } from '@roundhouse/blocks';
import { blockIdOf, countOf, listOf, objectOf, type BlockHeader, type JsonObject } from '@roundhouse/chain';
import { decodeFrom } from '../checks/block-checker.js';
import { NodeUnavailableError, type UnavailableKind } from '../errors/node-errors.js';
import { PAGE_LIMIT, type CoreLine, type NodeRequest } from './core-line.js';
import { isRaw, line2 } from './line-2.js';
import { NodeHttp } from './node-http.js';
import type { NodeAnswer, NodeHttpOptions } from './node-http-options.js';
import type { Urgency } from './request-budget.js';
import { notFound, tooMany } from './wrong-answers.js';

/** The node's address without the path to the API: `http://node:4003/api/` becomes `http://node:4003`. */
const baseOf = (url: URL): URL => {
  const base = new URL(url);
  base.pathname = base.pathname.replace(/(\/api(\/v2)?)?\/*$/, '/');
  base.search = '';
  return base;
};

const AWAY: ReadonlySet<UnavailableKind> = new Set(['refused', 'http-5xx']);

/** The usual line; `line-2.ts` has the older one. */
const line3: CoreLine = {
  name: '3.x',
  headers: {},
  root: '/api',
  isNewestFirst: false,
  // Core allows 100 ids, but at 64 characters each they would make a URL that proxies refuse.
  blocksPerTransactionQuery: 60,
  blocksRequest: (from, to) => ({
    path: `/blocks?height.from=${from}&height.to=${to}&orderBy=height:asc&transform=false&limit=${PAGE_LIMIT}`,
  }),
  // No order: the default is by timestamp and sequence, which 3.0.0 to 3.0.5 refuse if they are asked for it.
  transactionsRequest: (blocks, page) => ({
    path:
      `/transactions?blockId=${blocks.map(({ id }) => id).join(',')}&transform=false` +
      `&limit=${PAGE_LIMIT}&page=${page}`,
  }),
  inPayloadOrder: (placed) => placed.toSorted((a, b) => a.sequence - b.sequence),
  decodeHeader,
  decodeTransaction: (value) => ({
    blockId: blockIdOf(objectOf(value), 'blockId'),
    sequence: countOf(objectOf(value), 'sequence', 0),
    transaction: decodeTransaction(value),
  }),
};

/** In the order in which they are tried: a 3.x node has nothing under `/api/v2`. */
const CORE_LINES = [line2, line3] as const;

/** The most transactions per query: deep pages cost the node more than another query. */
const MOST_TRANSACTIONS = 500;

/** Groups the blocks that have transactions, one query per group. */
export const groupBlocks = (headers: readonly BlockHeader[], mostBlocks: number): BlockHeader[][] => {
  const groups: BlockHeader[][] = [];
  let transactions = 0;
  for (const header of headers) {
    if (header.numberOfTransactions === 0) continue;
    const group = groups.at(-1);
    transactions += header.numberOfTransactions;
    if (group && group.length < mostBlocks && transactions <= MOST_TRANSACTIONS) {
      group.push(header);
    } else {
      groups.push([header]);
      transactions = header.numberOfTransactions;
    }
  }
  return groups;
};

/**
 * Requests to a node's public API, and pages of at most 100 entries. Paths are relative to the root of the node's line,
 * which the first request finds out. Everything here throws `NodeUnavailableError` and `NodeProtocolError`.
 */
export class CoreApi {
  readonly name: string;
  /** The setting or option that names the node. */
  readonly setting: string;
  readonly http: NodeHttp;
  private found: Promise<CoreLine> | null = null;
  /** Whether a node of 2.x shows raw transactions; null until it has shown some. */
  private isRawShown: boolean | null = null;

  constructor(url: URL, options: NodeHttpOptions) {
    this.http = new NodeHttp(baseOf(url), options);
    this.name = this.http.name;
    this.setting = this.http.setting;
  }

  line(): Promise<CoreLine> {
    this.found ??= this.probe().catch((error: unknown) => {
      this.found = null;
      throw error;
    });
    return this.found;
  }

  /** Returns the node's answer if its status is 200 or 404. */
  async ask(
    { root, headers }: CoreLine,
    { path, ...rest }: NodeRequest,
    urgency: Urgency,
  ): Promise<NodeAnswer> {
    try {
      return await this.http.ask({ path: root + path, ...rest }, headers, urgency);
    } catch (error) {
      // A node that was away may be upgraded.
      if (error instanceof NodeUnavailableError && AWAY.has(error.kind)) {
        this.found = null;
        this.isRawShown = null;
      }
      throw error;
    }
  }

  /**
   * Asks for transactions, raw if the node has them so. Core 2.5 and older do not tell their version, so the parameter is
   * tried: 2.4 and older refuse it.
   */
  async askTransactions(line: CoreLine, request: NodeRequest, urgency: Urgency): Promise<NodeAnswer> {
    if (line.name === '3.x' || this.isRawShown === false) return this.ask(line, request, urgency);
    const raw = { ...request, path: `${request.path}&transform=false`, isTrial: true };
    const answer = await this.ask(line, raw, urgency);
    const first = (answer.body as { readonly data?: readonly unknown[] } | null)?.data?.[0];
    if (first !== undefined) this.isRawShown = isRaw(first);
    if (answer.status === 200 || answer.status === 404) return answer;
    this.isRawShown = false;
    return this.ask(line, request, urgency);
  }

  /** Whether the node shows transactions only in the form of Core 2.4, or has shown none yet. */
  async hidesFields(): Promise<boolean> {
    return (await this.line()).name === '2.x' && this.isRawShown !== true;
  }

  /** Returns the `data` of the answer to a path, or null if the node has nothing there. */
  async find(path: string): Promise<unknown> {
    const { status, body } = await this.ask(await this.line(), { path }, 'now');
    return status === 404 ? null : decodeFrom(this.name, path, body, (value) => objectOf(value)['data']);
  }

  /** The same; it is an error if the node has nothing there. */
  async get(path: string): Promise<unknown> {
    return (await this.answer({ path }, 'now'))['data'];
  }

  /** Returns the entries of a page; `what` and `height` are for messages. */
  async page(
    request: NodeRequest,
    urgency: Urgency,
    what: string,
    height: number,
  ): Promise<readonly unknown[]> {
    return this.pageOf(await this.answer(request, urgency), request.path, what, height);
  }

  pageOf(body: unknown, path: string, what: string, height: number): readonly unknown[] {
    const list = decodeFrom(this.name, what, body, (value) => listOf(objectOf(value), 'data'), height);
    if (list.length <= PAGE_LIMIT) return list;
    throw tooMany(this, path, `${list.length} entries in a page`, PAGE_LIMIT, height);
  }

  private async answer(request: NodeRequest, urgency: Urgency): Promise<JsonObject> {
    const line = await this.line();
    const { status, body } = await this.ask(line, request, urgency);
    if (status === 404) {
      // The node may have switched to the other line.
      this.found = null;
      throw notFound(this, line.root + request.path);
    }
    return decodeFrom(this.name, request.path, body, objectOf);
  }

  private async probe(): Promise<CoreLine> {
    for (const line of CORE_LINES) {
      const { status } = await this.http.ask({ path: `${line.root}/node/status` }, line.headers);
      if (status === 200) return line;
    }
    throw notFound(this, '/api/node/status');
  }
}
