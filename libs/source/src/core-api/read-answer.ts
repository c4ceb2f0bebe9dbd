import type http from 'node:http';
import { parseLosslessJson, type Network } from '@roundhouse/chain';
import { NodeProtocolError } from '../errors/node-errors.js';
import type { NodeRequest } from './core-line.js';

export interface NodeAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** An answer as it arrived. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** The node that has answered, and the setting that names it, for messages. */
interface Answerer {
  readonly name: string;
  readonly setting: string;
}

/** How much of a path or an answer a message shows: one path may name 60 blocks. */
export const SHOWN_CHARACTERS = 200;

/** What is wrong with an answer, as the rest of a sentence, and what to do; null if nothing is. */
const problemOf = (
  { isTrial }: NodeRequest,
  { status, headers, text }: RawAnswer,
  setting: string,
): string | null => {
  const { location, 'content-encoding': encoding = 'identity' } = headers;
  if (status >= 300 && status < 400 && location !== undefined)
    return `with status ${status} and leads to ${location}: name that server in ${setting}.`;
  if (encoding !== 'identity')
    return `compressed (${encoding}), which was not asked for: correct the proxies between here and the node.`;
  const isRefused = status === 400 || status === 422;
  if (status === 200 || status === 404 || (isRefused && isTrial)) return null;
  return (
    `with status ${status}: ${text.slice(0, SHOWN_CHARACTERS)}. ` +
    `Check that ${setting} is the public API of a Core node of line 2.x or 3.x.`
  );
};

/** Reads an answer with the status 200 or 404, or the refusal of a trial. Throws `NodeProtocolError` for any other. */
export const readAnswer = (
  { name, setting }: Answerer,
  request: NodeRequest,
  answer: RawAnswer,
): NodeAnswer => {
  const { status, text } = answer;
  const refuse = (problem: string, options?: ErrorOptions): NodeProtocolError =>
    new NodeProtocolError(name, `${name} answered ${request.path} ${problem}`, options);
  const problem = problemOf(request, answer, setting);
  if (problem !== null) throw refuse(problem);
  try {
    return { status, body: parseLosslessJson(text) };
  } catch (cause) {
    if (status !== 200) return { status, body: null };
    throw refuse(
      `with invalid JSON: ${text.slice(0, SHOWN_CHARACTERS)}. Check that ${setting} is the public API of a Core node.`,
      { cause },
    );
  }
};

/** The largest answer that is read. */
export interface PageBound {
  readonly bytes: number;
  /** The limits of the chain that it follows from, as the end of a sentence. */
  readonly reason: string;
}

const MIB = 1024 * 1024;

/** For all other answers: a hundred blocks, delegates, a configuration with its genesis block. */
export const USUAL_BOUND: PageBound = {
  bytes: 16 * MIB,
  reason: 'the configuration names no larger block (block.maxPayload)',
};

/** As for a line of an archive: memory is bounded whatever a configuration names. */
const MOST_BYTES = 256 * MIB;

/** The most that one byte takes: a control character is six in JSON, and Core 2.5 shows it in hexadecimal as well. */
const JSON_BYTES_PER_BYTE = 8;

/** The names of fields, and values that a node adds. */
const JSON_BYTES_PER_TRANSACTION = 2 * 1024;

/** Core counts a block with its transactions in bytes (`Block.verify`), so one of its pages in JSON is bounded by that. */
export const pageBoundOf = ({ milestones }: Network): PageBound => {
  const largest = (key: string): number => {
    const values = milestones.map(({ block }) =>
      Number((block as Record<string, unknown> | undefined)?.[key]),
    );
    return Math.max(0, ...values.filter((value) => value > 0));
  };
  const [payload, transactions] = [largest('maxPayload'), largest('maxTransactions')];
  const bytes = Math.min(
    payload * JSON_BYTES_PER_BYTE + transactions * JSON_BYTES_PER_TRANSACTION,
    MOST_BYTES,
  );
  if (bytes <= USUAL_BOUND.bytes) return USUAL_BOUND;
  return {
    bytes,
    reason: `a block of this chain has at most ${payload} bytes (block.maxPayload) and ${transactions} transactions (block.maxTransactions)`,
  };
};
