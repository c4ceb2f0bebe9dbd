import { rawTransaction } from '@roundhouse/blocks';
import { CORE_TYPE_GROUP, MAGISTRATE_TYPE_GROUP, TransactionType, type Transaction } from '@roundhouse/chain';
import {
  MAGISTRATE_TYPES,
  NodeRefusal,
  parsePayload,
  refusalBody,
  type NodeAnswers,
  type NodeRequest,
  type NodeShape,
} from '@roundhouse/core-node';
import { FOREIGN_TYPE, FOREIGN_TYPE_GROUP } from '@roundhouse/forging';
import { z } from 'zod';
import { RejectedTransactionError } from '../forging/rejected-transaction.error.js';
import { readTransaction } from '../transactions/read-transaction.js';
import type { DevnetContext } from './devnet-context.js';

const MAX_PER_REQUEST = 40;

/** The types of this chain as a node with its plugin tells them: numbers by type group and name. */
const TYPES: Readonly<Record<number, Readonly<Record<string, number>>>> = {
  [CORE_TYPE_GROUP]: TransactionType,
  [MAGISTRATE_TYPE_GROUP]: MAGISTRATE_TYPES,
  [FOREIGN_TYPE_GROUP]: { Foreign: FOREIGN_TYPE },
};

const submission = z.object({ transactions: z.array(z.unknown()).min(1).max(MAX_PER_REQUEST) });

const submit = ({ chain, pool }: DevnetContext, body: unknown): object => {
  const parsed = submission.safeParse(body);
  if (!parsed.success)
    throw new NodeRefusal(422, refusalBody(422, "should have required property 'transactions'"));
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

/** A waiting transaction has no place in the chain. */
const shownWaiting = (transaction: Transaction, shape: NodeShape): string => {
  const shown = shape.transaction(rawTransaction(transaction), { id: '', timestamp: 0 });
  const { blockId: _, timestamp: __, ...rest } = JSON.parse(shown) as Record<string, unknown>;
  return JSON.stringify(rest);
};

/** Takes transactions, and tells which wait and which types there are. Undefined for other addresses. */
export const poolAnswers = (
  context: DevnetContext,
  shape: NodeShape,
  url: URL,
  { method, payload }: NodeRequest,
  answers: NodeAnswers,
): string | undefined => {
  switch (`${method} ${url.pathname}`) {
    case 'POST /transactions':
      return JSON.stringify(submit(context, parsePayload(payload)));
    case 'GET /transactions/unconfirmed':
      return answers.list(url, 'unconfirmed', context.pool.list(), (each) => shownWaiting(each, shape));
    case 'GET /transactions/types':
      return JSON.stringify({ data: TYPES });
    default:
      return undefined;
  }
};
