import type { NodeBlock, NodeText, NodeTransaction } from './recorded-node-chain.js';
import type { NodeBodies } from './node-bodies.js';
import type { NodeLine } from './node-lines.js';
import { pageOf } from './node-page.js';
import { NodeQueryReader, type NodeQuery } from './node-query.js';
import { notFound } from './node-refusal.js';

interface PlacedTransaction extends NodeTransaction {
  readonly block: NodeBlock;
}

const CONFIRMATIONS = /"confirmations":\d+/;

const placedIn = (block: NodeBlock): PlacedTransaction[] =>
  block.transactions.map((transaction) => ({ ...transaction, block }));

/** Sorts as the query requests. Ties, and queries without an order, keep the order of `list`. */
const ordered = <T>(list: T[], query: NodeQuery, valueOf: (item: T, property: string) => number): T[] =>
  list.sort((a, b) => {
    for (const { property, isDescending } of query.orderBy) {
      const difference = valueOf(a, property) - valueOf(b, property);
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return 0;
  });

/**
 * Answers requests like a Core node of one line that has the given chain. Paths are without the line's root. Throws
 * `NodeRefusal`.
 */
export class NodeAnswers {
  private readonly reader: NodeQueryReader;

  constructor(
    private readonly line: NodeLine,
    private readonly bodies: NodeBodies,
  ) {
    this.reader = new NodeQueryReader(line);
  }

  answer(chain: readonly NodeBlock[], url: URL): string {
    const path = url.pathname.replace(/\/$/, '');
    const [, resource, key, part] = path.split('/');
    if (resource === 'node') return this.node(chain, path);
    if (resource === 'blocks' && key === undefined) return this.blocks(chain, url);
    if (resource === 'blocks' && part === undefined) return this.block(chain, key!, url);
    if (resource === 'blocks' && part === 'transactions') return this.blockTransactions(chain, key!, url);
    if (resource === 'transactions' && key === undefined) return this.transactions(chain, url);
    throw notFound();
  }

  /** Answers a POST. Only lines 2.x have searches; their results come newest first. */
  search(chain: readonly NodeBlock[], url: URL, payload: unknown): string {
    switch (this.line.hasSearches && url.pathname) {
      case '/blocks/search': {
        const { paging, from, to } = this.reader.readSearch('height', url.searchParams, payload);
        const list = chain.filter(({ height }) => height >= from && height <= to);
        return this.page(url, paging, list.reverse(), (block) => this.blockText(chain, block, false));
      }
      case '/transactions/search': {
        const { paging, from, to } = this.reader.readSearch('timestamp', url.searchParams, payload);
        const list = chain.filter(({ timestamp }) => timestamp >= from && timestamp <= to).flatMap(placedIn);
        return this.transactionPage(chain, url, paging, list.reverse());
      }
      default:
        throw notFound();
    }
  }

  private node(chain: readonly NodeBlock[], path: string): string {
    const body = this.bodies(path);
    if (body === null) throw notFound();
    const { data } = JSON.parse(body) as { data: Record<string, unknown> };
    const { height, id } = chain.at(-1)!;
    // The node has no peers. Then 2.x compares its height with 0, and 3.x with its own.
    const ahead = this.line.hasSearches ? -height : 0;
    switch (path) {
      case '/node/status':
        return JSON.stringify({ data: { ...data, now: height, blocksCount: ahead } });
      case '/node/syncing':
        return JSON.stringify({ data: { ...data, blocks: ahead, height, id } });
      default:
        return body;
    }
  }

  private blocks(chain: readonly NodeBlock[], url: URL): string {
    const query = this.reader.read('blocks', url.searchParams);
    const one = (name: string): number | undefined => {
      const value = query.filters.get(name)?.[0];
      return value === undefined ? undefined : Number(value);
    };
    const from = one('height.from') ?? 1;
    const to = one('height.to') ?? Infinity;
    const among = (name: string, value: string): boolean => query.filters.get(name)?.includes(value) ?? true;
    const list = chain.filter(
      ({ height, id, generatorPublicKey }) =>
        height >= from &&
        height <= to &&
        among('height', `${height}`) &&
        among('id', id) &&
        among('generatorPublicKey', generatorPublicKey),
    );
    const sorted = ordered(list.reverse(), query, (block, property) =>
      property === 'height' ? block.height : block.timestamp,
    );
    return this.page(url, query, sorted, (block) => this.blockText(chain, block, query.isRaw));
  }

  private block(chain: readonly NodeBlock[], key: string, url: URL): string {
    const isRaw = url.searchParams.get('transform') === 'false';
    return `{"data":${this.blockText(chain, this.getBlock(chain, key), isRaw)}}`;
  }

  private blockTransactions(chain: readonly NodeBlock[], key: string, url: URL): string {
    const query = this.reader.read('block-transactions', url.searchParams);
    const block = this.getBlock(chain, key);
    const list = placedIn(block).map((transaction) => ({ ...transaction, plain: transaction.inBlock }));
    if (this.line.blockOrder === 'payload') return this.transactionPage(chain, url, query, list);
    const sorted = ordered(list.reverse(), query, ({ sequence }) => sequence);
    return this.page(url, query, sorted, ({ inBlock, raw }) => (query.isRaw ? raw! : inBlock));
  }

  private transactions(chain: readonly NodeBlock[], url: URL): string {
    const query = this.reader.read('transactions', url.searchParams);
    const [ids, blockIds] = [query.filters.get('id'), query.filters.get('blockId')];
    const list = chain
      .filter(({ id }) => blockIds?.includes(id) ?? true)
      .flatMap(placedIn)
      .filter(({ id }) => ids?.includes(id) ?? true);
    // Newest first. If the query requests an order, ties are newest first on line 2.x and oldest first on 3.x.
    const isNewestFirst = this.line.hasSearches || query.orderBy.length === 0;
    return this.transactionPage(chain, url, query, isNewestFirst ? list.reverse() : list);
  }

  private transactionPage(
    chain: readonly NodeBlock[],
    url: URL,
    query: NodeQuery,
    list: PlacedTransaction[],
  ): string {
    const sorted = ordered(list, query, ({ block, sequence }, property) =>
      property === 'sequence' ? sequence : block.timestamp,
    );
    return this.page(url, query, sorted, (transaction) =>
      this.text(transaction, chain.length - transaction.block.height + 1, query.isRaw),
    );
  }

  private page<T>(url: URL, query: NodeQuery, list: readonly T[], textOf: (item: T) => string): string {
    const path = url.pathname.replace(/\/$/, '');
    return pageOf(this.line, path, url.searchParams, query, list, textOf);
  }

  private getBlock(chain: readonly NodeBlock[], keyText: string): NodeBlock {
    const key = this.reader.blockKey(keyText);
    const block = chain[Number(key) - 1] ?? chain.find(({ id }) => id === key);
    if (!block) throw notFound('Block not found');
    return block;
  }

  private blockText(chain: readonly NodeBlock[], block: NodeBlock, isRaw: boolean): string {
    return this.text(block, chain.length - block.height, isRaw);
  }

  private text({ plain, raw }: NodeText, confirmations: number, isRaw: boolean): string {
    return isRaw && raw !== null ? raw : plain.replace(CONFIRMATIONS, `"confirmations":${confirmations}`);
  }
}
