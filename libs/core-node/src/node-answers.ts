import type { NodeBlock, NodeChain } from './node-chain.js';
import type { NodeBodies } from './node-bodies.js';
import { offsetOf, pageOf, type NodeForm } from './node-page.js';
import { NodeQueryReader, type NodeQuery, type NodeResource } from './node-query.js';
import { notFound } from './node-refusal.js';
import { matches, placesAt, placesBetween, placesIn, sorted, type Place } from './node-transactions.js';

/** May change a list of blocks before it is shown. */
export type OnBlocks = (blocks: readonly NodeBlock[]) => readonly NodeBlock[];

const CONFIRMATIONS = /"confirmations":\d+/;

const upTo = (height: number): number[] => Array.from({ length: height }, (_, index) => index + 1);

/**
 * Answers requests like a Core node of one line that has the given chain. Paths are without the line's root. Throws
 * `NodeRefusal`.
 */
export class NodeAnswers {
  private readonly reader: NodeQueryReader;

  constructor(
    private readonly form: NodeForm,
    private readonly bodies: NodeBodies,
    private readonly chain: NodeChain,
    private readonly onBlocks: OnBlocks = (blocks) => blocks,
  ) {
    this.reader = new NodeQueryReader(form.line);
  }

  answer(url: URL): string {
    const [, resource, key, part, ...more] = url.pathname.split('/');
    if (resource === 'node') return this.node(url.pathname);
    if (more.length > 0) throw notFound();
    if (resource === 'blocks' && key === undefined) return this.blocks(url);
    if (resource === 'blocks' && part === undefined) return this.block(key!, url);
    if (resource === 'blocks' && part === 'transactions') return this.blockTransactions(key!, url);
    if (resource === 'transactions' && key === undefined) return this.transactions(url);
    if (resource === 'transactions' && part === undefined) return this.transaction(key!, url);
    throw notFound();
  }

  /** Answers a POST. Only lines 2.x have searches; their results come newest first. */
  search(url: URL, payload: unknown): string {
    const { chain } = this;
    switch (this.form.line.hasSearches && url.pathname) {
      case '/blocks/search': {
        const { paging, from, to } = this.reader.readSearch('height', url.searchParams, payload);
        return this.blockRange(url, paging, from, to, true);
      }
      case '/transactions/search': {
        const { paging, from, to } = this.reader.readSearch('timestamp', url.searchParams, payload);
        const blocks = upTo(chain.height).map((height) => chain.block(height));
        const places = blocks.filter(({ timestamp: at }) => at >= from && at <= to).flatMap(placesIn);
        return this.placePage(url, 'transactions', paging, places.reverse());
      }
      default:
        throw notFound();
    }
  }

  /** Answers with a page of a list that the node has besides. `show` returns an item as JSON. */
  list<T>(url: URL, resource: NodeResource, rows: readonly T[], show: (row: T) => string): string {
    const query = this.reader.read(resource, url.searchParams);
    return this.pageOf(url, resource, query, rows, show);
  }

  private pageOf<T>(
    url: URL,
    resource: NodeResource,
    query: NodeQuery,
    list: readonly T[],
    show: (row: T) => string,
  ): string {
    const offset = offsetOf(query);
    const items = list.slice(offset, offset + query.limit).map(show);
    return this.page(url, resource, query, list.length, items);
  }

  private page(
    url: URL,
    resource: NodeResource,
    query: NodeQuery,
    total: number,
    items: readonly string[],
  ): string {
    return pageOf(this.form, resource, { url, query, total, items });
  }

  private node(path: string): string {
    const body = this.bodies(path);
    if (body === null) throw notFound();
    const { height } = this.chain;
    // The node has no peers. Then 2.x compares its height with 0, and 3.x with its own.
    const ahead = this.form.line.hasSearches ? -height : 0;
    const changed = (more: object): string => {
      const { data } = JSON.parse(body) as { data: object };
      return JSON.stringify({ data: { ...data, ...more } });
    };
    if (path === '/node/status') return changed({ now: height, blocksCount: ahead });
    if (path !== '/node/syncing') return body;
    return changed({ blocks: ahead, height, id: this.chain.block(height).id });
  }

  private blocks(url: URL): string {
    const { chain } = this;
    const query = this.reader.read('blocks', url.searchParams);
    const { filters } = query;
    const from = Math.max(1, Number(filters.get('height.from')?.[0] ?? 1));
    const to = Math.min(chain.height, Number(filters.get('height.to')?.[0] ?? chain.height));
    const isDescending = query.orderBy[0]?.isDescending ?? true;
    const ids = filters.get('id')?.map((id) => chain.heightOf(id) ?? 0);
    const named = filters.get('height')?.map(Number) ?? ids;
    const generators = filters.get('generatorPublicKey');
    if (!named && !generators) return this.blockRange(url, query, from, to, isDescending);
    const heights = [...new Set(named ?? upTo(chain.height))]
      .filter((height) => height >= from && height <= to && (ids?.includes(height) ?? true))
      .filter((height) => generators?.includes(chain.block(height).generatorPublicKey) ?? true)
      .sort((a, b) => (isDescending ? b - a : a - b));
    const offset = offsetOf(query);
    return this.blockPage(url, query, heights.length, heights.slice(offset, offset + query.limit));
  }

  private blockRange(url: URL, query: NodeQuery, least: number, most: number, isDescending: boolean): string {
    const [from, to] = [Math.max(1, least), Math.min(this.chain.height, most)];
    const total = Math.max(0, to - from + 1);
    const offset = offsetOf(query);
    const heights = Array.from({ length: Math.max(0, Math.min(query.limit, total - offset)) }, (_, index) =>
      isDescending ? to - offset - index : from + offset + index,
    );
    return this.blockPage(url, query, total, heights);
  }

  private blockPage(url: URL, query: NodeQuery, total: number, heights: readonly number[]): string {
    const blocks = this.onBlocks(heights.map((height) => this.chain.block(height)));
    const items = blocks.map((block) => this.blockText(block, query.isRaw));
    return this.page(url, 'blocks', query, total, items);
  }

  private block(key: string, url: URL): string {
    return `{"data":${this.blockText(this.getBlock(key), this.reader.isRaw(url.searchParams))}}`;
  }

  private blockTransactions(key: string, url: URL): string {
    const query = this.reader.read('block-transactions', url.searchParams);
    const places = placesIn(this.getBlock(key));
    if (this.form.line.blockOrder === 'payload')
      return this.placePage(url, 'block-transactions', query, sorted(places, query));
    const isDescending = query.orderBy[0]?.isDescending ?? true;
    return this.placePage(url, 'block-transactions', query, isDescending ? places.reverse() : places);
  }

  private transaction(key: string, url: URL): string {
    const height = this.chain.heightOfTransaction(this.reader.transactionKey(key));
    if (height === null) throw notFound('Transaction not found');
    const place = placesAt(this.chain, [height]).find(({ transaction }) => transaction.id === key)!;
    return `{"data":${this.placeText(place, 'plain', this.reader.isRaw(url.searchParams))}}`;
  }

  private transactions(url: URL): string {
    const { chain } = this;
    const query = this.reader.read('transactions', url.searchParams);
    const { filters } = query;
    // Newest first. If the query requests an order, ties are newest first on line 2.x and oldest first on 3.x.
    const tiesDescend = this.form.line.hasSearches || query.orderBy.length === 0;
    const isDescending = filters.size === 0 ? this.isWholeChainDescending(query, tiesDescend) : null;
    if (isDescending !== null) {
      const total = chain.transactionsUpTo(chain.height);
      const offset = offsetOf(query);
      const places = isDescending
        ? placesBetween(chain, Math.max(0, total - offset - query.limit), total - offset).reverse()
        : placesBetween(chain, offset, Math.min(offset + query.limit, total));
      return this.page(
        url,
        'transactions',
        query,
        total,
        places.map((place) => this.placeText(place, 'plain', query.isRaw)),
      );
    }
    const named =
      filters.get('id')?.map((id) => chain.heightOfTransaction(id)) ??
      filters.get('blockId')?.map((id) => chain.heightOf(id)) ??
      upTo(chain.height);
    const found = placesAt(
      chain,
      named.filter((height) => height !== null),
    ).filter((place) => matches(place, filters));
    return this.placePage(url, 'transactions', query, sorted(tiesDescend ? found.reverse() : found, query));
  }

  /** Whether the order of the query is that of the chain reversed; null if it is neither. */
  private isWholeChainDescending({ orderBy }: NodeQuery, tiesDescend: boolean): boolean | null {
    const [first, second = { property: 'sequence', isDescending: tiesDescend }] = orderBy;
    if (first === undefined) return true;
    const isWhole = first.property === 'timestamp' && second.property === 'sequence';
    return isWhole && first.isDescending === second.isDescending ? first.isDescending : null;
  }

  private placePage(url: URL, resource: NodeResource, query: NodeQuery, list: readonly Place[]): string {
    const form = resource === 'block-transactions' ? 'inBlock' : 'plain';
    return this.pageOf(url, resource, query, list, (place) => this.placeText(place, form, query.isRaw));
  }

  private placeText({ block, transaction }: Place, form: 'plain' | 'inBlock', isRaw: boolean): string {
    const confirmations = this.chain.height - block.height + 1;
    return (isRaw && transaction.raw) || confirmed(transaction[form], confirmations);
  }

  private getBlock(keyText: string): NodeBlock {
    const { chain } = this;
    if (keyText === 'first' || keyText === 'last') return chain.block(keyText === 'first' ? 1 : chain.height);
    const key = this.reader.blockKey(keyText);
    const height = chain.heightOf(key) ?? Number(key);
    if (!Number.isInteger(height) || height < 1 || height > chain.height) throw notFound('Block not found');
    return chain.block(height);
  }

  private blockText(block: NodeBlock, isRaw: boolean): string {
    return (isRaw && block.raw) || confirmed(block.plain, this.chain.height - block.height);
  }
}

const confirmed = (text: string, confirmations: number): string =>
  text.replace(CONFIRMATIONS, `"confirmations":${confirmations}`);
