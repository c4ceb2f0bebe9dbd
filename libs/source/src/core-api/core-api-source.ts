import {
  parseNetwork,
  type Block,
  type BlockHeader,
  type BlockRef,
  type Network,
  type Transaction,
} from '@roundhouse/chain';
import type { BlockSource } from '../block-source.js';
import { decodeFrom } from '../decode/decode-from.js';
import { blockIdOf, heightOf, listOf, objectOf } from '../decode/fields.js';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';
import { CORE_LINES, PAGE_LIMIT, type CoreLine } from './core-line.js';
import { groupBlocks } from './group-blocks.js';
import { NodeHttp, type NodeHttpOptions } from './node-http.js';

/** The node's address with what leads to the API taken off: `http://node:4003/api/` is `http://node:4003`. */
const baseOf = (url: URL): URL => {
  const base = new URL(url);
  base.pathname = base.pathname.replace(/(\/api(\/v2)?)?\/*$/, '/');
  base.search = '';
  return base;
};

const decodeRef = (value: unknown): BlockRef => {
  const status = objectOf(value);
  return { height: heightOf(status, 'height'), id: blockIdOf(status, 'id') };
};

/** A node's public API, of Core's line 2.x or 3.x: which of them is found out with the first request. */
export class CoreApiSource implements BlockSource {
  readonly name: string;
  private readonly http: NodeHttp;
  private line: Promise<CoreLine> | null = null;

  constructor(url: URL, options: NodeHttpOptions) {
    this.http = new NodeHttp(baseOf(url), options);
    this.name = this.http.name;
  }

  async network(): Promise<Network | null> {
    const configuration = await this.find('/node/configuration/crypto');
    return configuration === null ? null : parseNetwork(configuration);
  }

  async tip(): Promise<BlockRef> {
    return decodeFrom(this.name, 'its newest block', await this.get('/node/syncing'), decodeRef);
  }

  async blockIdAt(height: number): Promise<string | null> {
    const block = await this.find(`/blocks/${height}`);
    if (block === null) return null;
    return decodeFrom(this.name, 'a block', block, (value) => decodeRef(value).id, height);
  }

  async blocks(from: number, to: number): Promise<Block[]> {
    const headers = await this.headers(from, to);
    const transactions = await this.transactionsOf(headers);
    const blocks = headers.map((header) => ({ ...header, transactions: transactions.get(header.id) ?? [] }));
    await this.assertStill(blocks);
    return blocks;
  }

  close(): Promise<void> {
    this.http.close();
    return Promise.resolve();
  }

  private async headers(from: number, to: number): Promise<BlockHeader[]> {
    const line = await this.probed();
    const headers: BlockHeader[] = [];
    let next = from;
    while (next <= to) {
      const page = listOf(await this.answer(line.blocksPath(next, to)), 'data');
      const decoded = page.map((value) => decodeFrom(this.name, 'a block', value, line.decodeHeader));
      const wanted = decoded.filter(({ height }) => height >= next && height <= to);
      headers.push(...wanted);
      const last = wanted.at(-1);
      // Totals and page counts are estimates: only a page without news tells that the node ends here.
      if (last === undefined || last.height < next) break;
      next = last.height + 1;
    }
    return headers;
  }

  /** By block id, in payload order. */
  private async transactionsOf(headers: readonly BlockHeader[]): Promise<Map<string, Transaction[]>> {
    const line = await this.probed();
    const byBlock = new Map<string, Transaction[]>();
    for (const group of groupBlocks(headers, line.blocksPerTransactionQuery)) {
      const ids = group.map(({ id }) => id);
      for (let page = 1, length = PAGE_LIMIT; length === PAGE_LIMIT; page += 1) {
        const answer = await this.http.get(line.root + line.transactionsPath(ids, page), line.headers);
        // A node that has replaced the block no longer knows it: `assertStill` tells.
        const list = answer.status === 404 ? [] : listOf(objectOf(answer.body), 'data');
        length = list.length;
        for (const value of list) {
          const { blockId, transaction } = decodeFrom(
            this.name,
            `a transaction of block ${ids[0]!}`,
            value,
            line.decodeTransaction,
          );
          const same = byBlock.get(blockId);
          if (same) same.push(transaction);
          else byBlock.set(blockId, [transaction]);
        }
      }
    }
    return byBlock;
  }

  /**
   * A range takes several requests, and the node may replace its newest blocks between two of them. Where the parts
   * do not fit, the node is asked once more: other blocks by now are a reason to try again, not a wrong answer.
   */
  private async assertStill(blocks: readonly Block[]): Promise<void> {
    const misfit = blocks.find(
      (block, index) =>
        block.transactions.length !== block.numberOfTransactions ||
        (index > 0 && block.previousBlock !== blocks[index - 1]!.id),
    );
    if (misfit === undefined) return;
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

  /** The `data` of an answer, or null where the node has nothing there. */
  private async find(path: string): Promise<unknown> {
    const line = await this.probed();
    const { status, body } = await this.http.get(line.root + path, line.headers);
    return status === 404 ? null : decodeFrom(this.name, path, body, (value) => objectOf(value)['data']);
  }

  private async answer(path: string): Promise<Record<string, unknown>> {
    const line = await this.probed();
    const { status, body } = await this.http.get(line.root + path, line.headers);
    if (status === 404) throw this.notFound(path);
    return decodeFrom(this.name, path, body, objectOf);
  }

  private async get(path: string): Promise<unknown> {
    return (await this.answer(path))['data'];
  }

  private notFound(path: string): NodeProtocolError {
    return new NodeProtocolError(
      this.name,
      `${this.name} has no ${path}: check that BLOCK_SOURCE is the public API of a Core node of line 2.x or 3.x.`,
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
      const { status } = await this.http.get(`${line.root}/node/status`, line.headers);
      if (status === 200) return line;
    }
    throw this.notFound('/api/node/status');
  }
}
