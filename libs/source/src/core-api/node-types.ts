import {
  CORE_TYPE_GROUP,
  countOf,
  isKnownType,
  MAGISTRATE_TYPE_GROUP,
  objectOf,
  ShapeError,
  type JsonObject,
} from '@roundhouse/chain';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';

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
  ...['transfer', 'secondsignature', 'delegateregistration', 'vote', 'multisignature', 'ipfs'],
  ...['timelocktransfer', 'multipayment', 'delegateresignation'],
];

/** The names of Core 2.6 to 3.9, by group and number. */
const NAMES: Readonly<Record<number, readonly string[]>> = {
  [CORE_TYPE_GROUP]: [
    ...OLD_NAMES.slice(0, 6),
    ...['multipayment', 'delegateresignation', 'htlclock', 'htlcclaim', 'htlcrefund'],
  ],
  [MAGISTRATE_TYPE_GROUP]: [
    ...['businessregistration', 'businessresignation', 'businessupdate'],
    ...['bridgechainregistration', 'bridgechainresignation', 'bridgechainupdate', 'entity'],
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
