import {
  NodeRefusal,
  notFound,
  parsePayload,
  refusalBody,
  type NodeAnswer,
  type NodeRequest,
} from '@roundhouse/core-node';
import { UntellableError } from '@roundhouse/forging';
import { z, ZodError } from 'zod';
import type { DevnetChain } from '../chain/devnet-chain.js';
import type { RawBlock } from '../chain/raw-block.js';
import { DevnetError } from '../devnet.error.js';
import type { DevnetContext } from './devnet-context.js';
import type { Misbehaviours } from './misbehaviours.js';

const MOST_BLOCKS = 10_000;

const count = z.number().int().min(1).max(MOST_BLOCKS);
const forkBody = z.strictObject({ depth: count, length: count.optional() });
const forgeBody = z.strictObject({ count });
const failBody = z.strictObject({ status: z.number(), count });
const misbehaveBody = z.looseObject({ kind: z.string(), count: count.optional() });

const headersFrom = ({ log }: DevnetChain, from: number): object[] =>
  [...log.blocks(from, log.height)].map(({ transactions: _, ...header }: RawBlock) => header);

/** Orders that no real node accepts: forks, restarts, pauses, extra blocks and misbehaviour. */
const orders = (
  { chain, pool, loop }: DevnetContext,
  misbehaviours: Misbehaviours,
): Readonly<Record<string, (body: unknown) => void>> => ({
  fork: (body) => {
    const { depth, length } = forkBody.parse(body);
    chain.fork(depth, length);
  },
  restart: () => chain.restartNode(),
  pause: () => loop.stop(),
  resume: () => loop.start(),
  forge: (body) => {
    const { count: blocks } = forgeBody.parse(body);
    for (let forged = 0; forged < blocks; forged += 1) chain.forgeNext((draft) => pool.admit(draft));
  },
  fail: (body) => {
    const { status, count: requests } = failBody.parse(body);
    misbehaviours.order('failing', { status }, requests);
  },
  misbehave: (body) => {
    const { kind, count: requests, ...fields } = misbehaveBody.parse(body);
    misbehaviours.order(kind, fields, requests);
  },
  behave: () => misbehaviours.end(),
});

/** An impossible order is the tester's mistake, not the devnet's. */
const adviceOf = (error: unknown): string | null => {
  if (error instanceof DevnetError || error instanceof UntellableError) return error.message;
  if (!(error instanceof ZodError)) return null;
  return error.issues.map(({ path, message }) => `"${path.join('.')}": ${message}`).join('; ');
};

/** Answers what is asked below `/devnet/`. */
export const answerOrder = (
  context: DevnetContext,
  misbehaviours: Misbehaviours,
  { method, path, payload }: NodeRequest,
): NodeAnswer => {
  const { chain, loop } = context;
  const url = new URL(path, 'http://node.invalid');
  const name = url.pathname.replace('/devnet/', '');
  try {
    if (`${method} ${name}` === 'GET blocks') {
      const from = Number(url.searchParams.get('from') ?? 1);
      const { branch } = misbehaviours;
      const other = branch === null ? [] : headersFrom(branch, from);
      return { body: JSON.stringify({ data: { own: headersFrom(chain, from), other } }) };
    }
    const order = method === 'POST' ? orders(context, misbehaviours)[name] : undefined;
    if (!order) throw notFound();
    order(payload === '' ? {} : parsePayload(payload));
    const { height, id } = chain.head;
    const { largestPage, requests } = misbehaviours;
    return {
      body: JSON.stringify({ data: { height, id, isForging: loop.isRunning, largestPage, requests } }),
    };
  } catch (error) {
    if (error instanceof NodeRefusal) return { status: error.status, body: error.body };
    const advice = adviceOf(error);
    if (advice === null) throw error;
    return { status: 422, body: refusalBody(422, advice) };
  }
};
