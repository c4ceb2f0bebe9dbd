import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { DevnetChain } from '../../chain/devnet-chain.js';
import { RejectedTransactionError } from '../../forging/rejected-transaction.error.js';
import type { ForgedTransaction } from '../../transactions/raw-transaction.js';
import { readTransaction } from '../../transactions/read-transaction.js';
import { DEVNET_TYPES } from '../../transactions/transaction-types.js';
import { notFound, unprocessable } from '../api.error.js';
import { compare } from '../compare.js';
import type { DevnetContext } from '../devnet-context.js';
import { pageOf, slicePage, type Page } from '../page.js';
import { presentTransaction, presentUnconfirmed } from '../present/transaction.js';
import { Query, type Order, type Paging, type RawQuery } from '../query.js';

const PAGE_PARAMETERS = ['page', 'limit', 'offset', 'orderBy', 'transform'];
const FILTERS = ['id', 'blockId', 'type', 'typeGroup', 'senderPublicKey', 'senderId', 'recipientId'];
const MAX_PER_REQUEST = 40;

type Compare = (a: ForgedTransaction, b: ForgedTransaction) => number;

/** Heights replace timestamps here, because both rise together. */
const comparisons: Readonly<Record<string, Compare>> = {
  timestamp: (a, b) => a.blockHeight - b.blockHeight,
  sequence: (a, b) => a.sequence - b.sequence,
  nonce: (a, b) => compare(BigInt(a.nonce), BigInt(b.nonce)),
  amount: (a, b) => compare(BigInt(a.amount), BigInt(b.amount)),
  fee: (a, b) => compare(BigInt(a.fee), BigInt(b.fee)),
};

const NEWEST_FIRST: readonly Order[] = [
  { property: 'timestamp', isDescending: true },
  { property: 'sequence', isDescending: true },
];

const comparisonOf =
  (orders: readonly Order[]): Compare =>
  (a, b) => {
    for (const { property, isDescending } of orders) {
      const difference = comparisons[property]?.(a, b) ?? 0;
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return 0;
  };

const matches = (query: Query, { state }: DevnetChain): ((transaction: ForgedTransaction) => boolean) => {
  const types = query.list('type');
  const typeGroups = query.list('typeGroup');
  const publicKeys = query.list('senderPublicKey');
  const senders = query.list('senderId');
  const recipients = query.list('recipientId');
  return (transaction) =>
    (types?.includes(String(transaction.type)) ?? true) &&
    (typeGroups?.includes(String(transaction.typeGroup)) ?? true) &&
    (publicKeys?.includes(transaction.senderPublicKey) ?? true) &&
    (senders?.includes(state.addressOf(transaction.senderPublicKey)) ?? true) &&
    (recipients?.includes(transaction.recipientId ?? '') ?? true);
};

/** The heights of the blocks that may contain matching transactions. */
const heightsOf = ({ log }: DevnetChain, query: Query): readonly number[] => {
  const ids = query.list('id')?.map((id) => log.findTransactionHeight(id));
  const blocks = query.blockIds('blockId')?.map((id) => log.findHeight(id));
  const heights = ids ?? blocks ?? Array.from({ length: log.height }, (_, index) => index + 1);
  return [...new Set(heights.filter((height) => height !== null))];
};

/**
 * The items of a page of all transactions, in the order of the chain or reversed. Reads only the blocks that it
 * needs, because a chain may be long.
 */
const chronologicalRows = (
  { log }: DevnetChain,
  { offset, limit }: Paging,
  isDescending: boolean,
): readonly ForgedTransaction[] => {
  const first = isDescending ? Math.max(log.transactionCount - offset - limit, 0) : offset;
  const end = isDescending ? log.transactionCount - offset : Math.min(offset + limit, log.transactionCount);
  if (end <= first) return [];
  const height = log.heightOfTransaction(first);
  const skipped = first - log.transactionsUpTo(height - 1);
  const rows: ForgedTransaction[] = [];
  for (const { transactions } of log.blocks(height, log.heightOfTransaction(end - 1)))
    rows.push(...transactions);
  const page = rows.slice(skipped, skipped + end - first);
  return isDescending ? page.reverse() : page;
};

/** Whether the request asks for all transactions in the order of the chain or reversed. */
const isChronological = (query: Query, orders: readonly Order[]): boolean =>
  !FILTERS.some((name) => query.has(name)) &&
  orders.every(
    ({ property, isDescending }, index) =>
      property === NEWEST_FIRST[index]?.property && isDescending === orders[0]?.isDescending,
  ) &&
  (orders.length !== 1 || orders[0]?.isDescending === true);

/**
 * A page of the transactions of `heights` that match the query. If `heights` is null, the query chooses the
 * blocks: those of its `id` or `blockId`, otherwise all.
 */
export const transactionPage = (
  chain: DevnetChain,
  rawQuery: RawQuery,
  path: string,
  heights: readonly number[] | null,
): Page<object> => {
  const query = new Query(rawQuery, heights ? PAGE_PARAMETERS : [...PAGE_PARAMETERS, ...FILTERS]);
  const paging = query.paging();
  const isTransformed = query.boolean('transform', true);
  const given = query.order(Object.keys(comparisons));
  const page = (total: number, rows: readonly ForgedTransaction[]): Page<object> => {
    const data = isTransformed ? rows.map((transaction) => presentTransaction(transaction, chain)) : rows;
    return pageOf({ path, query, paging, total, rows: data, isEstimate: true });
  };
  if (!heights && isChronological(query, given)) {
    const isDescending = given[0]?.isDescending ?? true;
    return page(chain.log.transactionCount, chronologicalRows(chain, paging, isDescending));
  }
  const ids = query.list('id');
  const found = (heights ?? heightsOf(chain, query))
    .flatMap((height) => chain.log.read(height).transactions)
    .filter(matches(query, chain))
    .filter(({ id }) => ids?.includes(id) ?? true)
    .sort(comparisonOf([...given, ...NEWEST_FIRST]));
  return page(found.length, slicePage(found, paging));
};

const getTransaction = ({ log }: DevnetChain, id: string): ForgedTransaction => {
  if (id.length !== 64) throw unprocessable('"id" length must be 64 characters long');
  const height = log.findTransactionHeight(id);
  const found = height === null ? undefined : log.read(height).transactions.find((each) => each.id === id);
  if (!found) throw notFound('Transaction not found');
  return found;
};

const submission = z.object({ transactions: z.array(z.unknown()).min(1).max(MAX_PER_REQUEST) });

const submit = ({ chain, pool }: DevnetContext, body: unknown): object => {
  const parsed = submission.safeParse(body);
  if (!parsed.success) throw unprocessable("should have required property 'transactions'");
  const accept: string[] = [];
  const invalid: string[] = [];
  const errors: Record<string, { type: string; message: string }> = {};
  parsed.data.transactions.forEach((candidate, index) => {
    const id = (candidate as { id?: unknown } | null)?.id;
    const key = typeof id === 'string' ? id : String(index);
    try {
      pool.submit(readTransaction(candidate), chain.state);
      accept.push(key);
    } catch (error) {
      if (!(error instanceof RejectedTransactionError)) throw error;
      invalid.push(key);
      errors[key] = { type: error.code, message: error.message };
    }
  });
  const answer = { data: { accept, broadcast: accept, excess: [], invalid } };
  return invalid.length > 0 ? { ...answer, errors } : answer;
};

export const transactionRoutes = (api: FastifyInstance, context: DevnetContext): void => {
  const { chain, pool } = context;

  api.get<{ Querystring: RawQuery }>('/api/transactions', ({ query }) =>
    transactionPage(chain, query, '/transactions', null),
  );

  api.get<{ Querystring: RawQuery }>('/api/transactions/unconfirmed', (request) => {
    const query = new Query(request.query, ['page', 'limit', 'offset', 'transform']);
    const paging = query.paging();
    const waiting = pool.list();
    const rows = slicePage(waiting, paging).map((transaction) => presentUnconfirmed(transaction, chain));
    return pageOf({
      path: '/transactions/unconfirmed',
      query,
      paging,
      total: waiting.length,
      rows,
      isEstimate: false,
    });
  });

  api.get('/api/transactions/types', () => ({ data: DEVNET_TYPES }));

  api.get<{ Querystring: RawQuery; Params: { id: string } }>('/api/transactions/:id', (request) => {
    const isTransformed = new Query(request.query, ['transform']).boolean('transform', true);
    const transaction = getTransaction(chain, request.params.id);
    return { data: isTransformed ? presentTransaction(transaction, chain) : transaction };
  });

  api.post('/api/transactions', (request) => submit(context, request.body));
};
