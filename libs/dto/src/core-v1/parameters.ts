import { decodeBase58Check } from '@roundhouse/chain';
import type { RawQuery } from '../query-dto.js';

/** What a node says, with status 200, when it refuses a request or finds nothing. */
export interface RefusalBody {
  /** Where the fault is: `.limit`, or empty for a missing parameter. Absent if nothing was found. */
  readonly path?: string;
  readonly error: string;
  readonly success: false;
}

/** The client gets `body` with status 200, as from a node. */
export class NodeRefusal extends Error {
  readonly code = 'NODE_REFUSAL';

  constructor(readonly body: RefusalBody) {
    super(body.error);
    this.name = 'NodeRefusal';
  }
}

/** A parameter that the node's validator refuses; `fault` in its words. */
export const refuseParameter = (path: string, fault: string): NodeRefusal =>
  new NodeRefusal({ path, error: fault, success: false });

/** Something that is not there; `error` in the node's words. */
export const refuse = (error: string): NodeRefusal => new NodeRefusal({ error, success: false });

/** A value of a query as a node reads it. A list is a parameter that was given more than once. */
export type NodeValue = string | number | boolean | readonly string[];

/** What some rules depend on. */
export interface NetworkFacts {
  readonly pubKeyHash: number;
  readonly activeDelegates: number;
}

/** Returns what is wrong with a value, in the words of the node's validator (ajv 6); null if nothing is. */
type FaultOf = (value: NodeValue, network: NetworkFacts) => string | null;

/** How a node checks one parameter. */
export interface NodeRule<T extends NodeValue = NodeValue, Required extends boolean = boolean> {
  readonly faultOf: FaultOf;
  readonly isRequired: Required;
  /** Only for the compiler: what a checked value is. */
  readonly value?: T;
}

/** The parameters that a route reads, in the order in which a node checks them. */
export type NodeRules = Readonly<Record<string, NodeRule>>;

type ValueOf<R> =
  R extends NodeRule<infer T, infer Required> ? (Required extends true ? T : T | undefined) : never;

/** The checked parameters of a route. */
export type NodeParameters<R extends NodeRules> = { readonly [K in keyof R]: ValueOf<R[K]> };

/** A class whose instances are the checked parameters of `rules`, for `@Query()`. */
export const nodeQuery = <R extends NodeRules>(rules: R): { readonly rules: R; new (): NodeParameters<R> } =>
  Object.assign(class {}, { rules }) as unknown as { readonly rules: R; new (): NodeParameters<R> };

/** The rules of such a class; undefined for everything else. */
export const rulesOf = (type: unknown): NodeRules | undefined =>
  typeof type === 'function' ? (type as { rules?: NodeRules }).rules : undefined;

const rule = <T extends NodeValue>(faultOf: FaultOf): NodeRule<T, false> => ({ faultOf, isRequired: false });

export const required = <T extends NodeValue>({ faultOf }: NodeRule<T>): NodeRule<T, true> => ({
  faultOf,
  isRequired: true,
});

/** A parameter that the node reads but does not check. */
export const anyValue: NodeRule<NodeValue, false> = rule(() => null);

type Bound = number | ((network: NetworkFacts) => number);

const boundOf = (bound: Bound | undefined, network: NetworkFacts): number | undefined =>
  typeof bound === 'function' ? bound(network) : bound;

/** A whole number. `Infinity` counts as one, as it does for the node. */
export const integer = (least?: number, most?: Bound): NodeRule<number, false> =>
  rule((value, network) => {
    if (typeof value !== 'number') return 'should be integer';
    const largest = boundOf(most, network);
    if (largest !== undefined && value > largest) return `should be <= ${largest}`;
    if (least !== undefined && value < least) return `should be >= ${least}`;
    return value % 1 > 0 || value % 1 < 0 ? 'should be integer' : null;
  });

export interface TextLimits {
  /** In code points. */
  readonly shortest?: number;
  readonly longest?: number;
  /** The name of a format, which the fault mentions, and what fits it. */
  readonly format?: readonly [name: string, fits: (text: string, network: NetworkFacts) => boolean];
}

/** Text. Text that looks like a number, `true` and `false` are none: see `nodeValueOf`. */
export const text = ({ shortest = 0, longest = Infinity, format }: TextLimits = {}): NodeRule<
  string,
  false
> =>
  rule((value, network) => {
    if (typeof value !== 'string') return 'should be string';
    const { length } = [...value];
    if (length > longest) return `should NOT be longer than ${longest} characters`;
    if (length < shortest) return `should NOT be shorter than ${shortest} characters`;
    return format && !format[1](value, network) ? `should match format "${format[0]}"` : null;
  });

/** An address of this network. */
export const address = text({
  format: ['address', (value, { pubKeyHash }) => decodeBase58Check(value)?.[0] === pubKeyHash],
});

/** 66 hexadecimal digits in either case; the node does not check that they are a key. */
export const publicKey = text({ format: ['publicKey', (value) => /^[0-9a-f]{66}$/i.test(value)] });

/** Ids may look like numbers and stay text. */
const TEXT_ALWAYS: ReadonlySet<string> = new Set(['id', 'blockId', 'previousBlock']);

/** What the node makes of a parameter: `1e1`, `0x2`, ` 5` and the empty text are numbers for it. */
const nodeValueOf = (name: string, values: readonly string[]): NodeValue => {
  if (values.length > 1) return values;
  const [value = ''] = values;
  if (TEXT_ALWAYS.has(name)) return value;
  const number = Number(value);
  if (!Number.isNaN(number)) return number;
  if (value === 'true') return true;
  return value === 'false' ? false : value;
};

/**
 * Reads the parameters of `rules` as a node does and ignores all others. Throws `NodeRefusal` for the first fault: a
 * missing parameter comes before a wrong one.
 */
export const readNodeQuery = <R extends NodeRules>(
  rules: R,
  query: RawQuery,
  network: NetworkFacts,
): NodeParameters<R> => {
  const all = Object.entries(rules);
  for (const [name, { isRequired }] of all) {
    if (isRequired && !query.has(name)) throw refuseParameter('', `should have required property '${name}'`);
  }
  const parameters: Record<string, NodeValue> = {};
  for (const [name, { faultOf }] of all) {
    const values = query.get(name);
    if (!values) continue;
    const value = nodeValueOf(name, values);
    const fault = faultOf(value, network);
    if (fault !== null) throw refuseParameter(`.${name}`, fault);
    parameters[name] = value;
  }
  return parameters as NodeParameters<R>;
};
