import {
  CORE_TYPE_GROUP,
  countOf,
  isAbsent,
  isKnownType,
  MAGISTRATE_TYPE_GROUP,
  objectOf,
  ShapeError,
  UnserialisableError,
  type JsonObject,
} from '@roundhouse/chain';
import { computeTransactionId, decodeTransformedTransaction } from '@roundhouse/blocks';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';
import type { CoreApi } from './core-api.js';
import { NAME_ANOTHER, PAGE_LIMIT } from './core-line.js';
import { isRaw } from './line-2.js';

/** A type of transactions that a node knows, with the name that it gives the type. */
export interface NodeType {
  readonly typeGroup: number;
  readonly type: number;
  readonly name: string;
  /** Whether the index applies a type of this number by the rules of ARK, and these are not the type's rules. */
  readonly isForeign: boolean;
}

/** The names of Core 2.1 to 2.5, which has no type groups. The first nine are also those of the old numbers. */
const OLD_NAMES = [
  'transfer',
  'secondsignature',
  'delegateregistration',
  'vote',
  'multisignature',
  'ipfs',
  'timelocktransfer',
  'multipayment',
  'delegateresignation',
];

/** The names of Core 2.6 to 3.9, by group and number. */
const NAMES: Readonly<Record<number, readonly string[]>> = {
  [CORE_TYPE_GROUP]: [
    ...OLD_NAMES.slice(0, 6),
    'multipayment',
    'delegateresignation',
    'htlclock',
    'htlcclaim',
    'htlcrefund',
  ],
  [MAGISTRATE_TYPE_GROUP]: [
    'businessregistration',
    'businessresignation',
    'businessupdate',
    'bridgechainregistration',
    'bridgechainresignation',
    'bridgechainupdate',
    'entity',
  ],
};

/** Types in groups of their own that change balances or votes by other rules than a transfer's: Compendia's stakes. */
const FOREIGN_NAMES: ReadonlySet<string> = new Set([
  'stakecreate',
  'stakeredeem',
  'stakecancel',
  'stakeextend',
]);

/** Whether the node has it under a known number with another meaning, or is known to move amounts by it. */
const isForeign = (typeGroup: number, type: number, name: string): boolean =>
  FOREIGN_NAMES.has(name) || (isKnownType(typeGroup, type) && NAMES[typeGroup]?.[type] !== name);

const typesOf = (group: JsonObject, typeGroup: number): NodeType[] =>
  Object.keys(group).map((name) => {
    const type = countOf(group, name);
    return { typeGroup, type, name, isForeign: isForeign(typeGroup, type, name.toLowerCase()) };
  });

/**
 * Reads the answer to `transactions/types`: `{ name: number }` before Core 2.6, `{ group: { name: number } }` since.
 * Throws `ShapeError`.
 */
export const decodeNodeTypes = (value: unknown): NodeType[] => {
  const groups = objectOf(value);
  const hasGroups = Object.values(groups).some((group) => typeof group === 'object');
  if (hasGroups) {
    return Object.keys(groups).flatMap((group) => typesOf(objectOf(groups[group], group), Number(group)));
  }
  // Transactions without a type group have old numbers; one that is none of them would be read as another type.
  return typesOf(groups, CORE_TYPE_GROUP).map((known) => ({
    ...known,
    isForeign: OLD_NAMES[known.type] !== known.name.toLowerCase(),
  }));
};

/** Whether a node, or what stands before it, does not have this answer. It is not asked again. */
const isNotTold = (error: unknown): boolean =>
  error instanceof ShapeError ||
  error instanceof NodeProtocolError ||
  (error instanceof NodeUnavailableError && error.kind === 'http-5xx');

/**
 * The types that a node knows; none if it does not tell them. `find` returns the `data` of its answer to a path, or
 * null. Throws `NodeUnavailableError`.
 */
export const readNodeTypes = async (find: (path: string) => Promise<unknown>): Promise<NodeType[]> => {
  try {
    const answer = await find('/transactions/types');
    return answer === null ? [] : decodeNodeTypes(answer);
  } catch (error) {
    if (isNotTold(error)) return [];
    throw error;
  }
};

export const nameOf = ({ name, type, typeGroup }: NodeType): string =>
  `${name} (type ${type} of type group ${typeGroup})`;

/** The rest of a sentence that begins with the node's name. */
const FORM_OF_2_0 =
  'shows transactions without what their ids are made of, as the API of Core 2.0 to 2.3 does: without the public keys of ' +
  "their senders, and most versions with the block's timestamp in place of the sender's. No transaction from there can be " +
  `proven: ${NAME_ANOTHER}.`;

/** A sentence for a block with a wrong id. */
export const HIDDEN_IN_2_4 =
  'The API of Core 2.4 shows neither the expirations nor the vendor fields of transactions of version 2, of which their ' +
  `ids are made. If the block has such transactions, ${NAME_ANOTHER}.`;

/** Null if it cannot be told. */
const hasRightId = (shown: unknown): boolean | null => {
  try {
    const transaction = decodeTransformedTransaction(shown);
    const id = transaction.network === null ? null : computeTransactionId(transaction, transaction.network);
    return id === null ? null : id === transaction.id;
  } catch (error) {
    if (error instanceof ShapeError || error instanceof UnserialisableError) return null;
    throw error;
  }
};

/**
 * Whether a node of line 2.x shows transactions in the form of Core 2.0 to 2.3, which does not tell its version. Few ids may
 * be wrong for other reasons: exceptions of the network, and what Core 2.4 hides of transactions of version 2.
 */
const areIncomplete = (shown: readonly unknown[]): boolean => {
  if (shown.some(isRaw)) return false;
  if (shown.some((one) => isAbsent(one as JsonObject, 'senderPublicKey'))) return true;
  const verdicts = shown.map(hasRightId);
  const countOf = (verdict: boolean): number => verdicts.filter((one) => one === verdict).length;
  return countOf(false) > countOf(true);
};

/** Timestamps are stored as PostgreSQL's type integer. */
const LAST_TIMESTAMP = 2 ** 31 - 1;

/** Whether the newest transactions are shown without what their ids are made of. */
const formProblemOf = async (api: CoreApi): Promise<string | null> => {
  const line = await api.line();
  if (line.name === '3.x') return null;
  const path = `/transactions/search?limit=${PAGE_LIMIT}`;
  const payload = { timestamp: { from: 0, to: LAST_TIMESTAMP } };
  const { status, body } = await api.askTransactions(line, { path, payload }, 'now');
  if (status === 404) return null;
  return areIncomplete(api.pageOf(body, path, 'transactions', 0)) ? FORM_OF_2_0 : null;
};

/** Why the node's chain cannot be indexed: see `RawSource.chainProblem`. */
export const chainProblemOf = async (api: CoreApi): Promise<string | null> => {
  const foreign = (await readNodeTypes((path) => api.find(path))).filter(({ isForeign }) => isForeign);
  if (foreign.length === 0) return formProblemOf(api);
  return (
    `has types of transactions that ARK does not have or that mean something else there: ` +
    `${foreign.map(nameOf).join(', ')}. A chain with such transactions cannot be indexed; docs/protocol.md, ` +
    `"Sister chains", lists those that can.`
  );
};
