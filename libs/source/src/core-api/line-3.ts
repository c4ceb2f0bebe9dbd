import { decodeHeader, decodeTransaction } from '@roundhouse/blocks';
import { blockIdOf, countOf, objectOf } from '@roundhouse/chain';
import { PAGE_LIMIT, type CoreLine } from './core-line.js';

export const line3: CoreLine = {
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
