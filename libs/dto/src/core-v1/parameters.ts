import { decodeBase58Check } from '@roundhouse/chain';
import type { RawQuery } from '../query-dto.js';

/** The client gets it with status 200, as from a node that refuses a request or finds nothing. */
export class NodeRefusal extends Error {
  readonly code = 'NODE_REFUSAL';

  /** @param path where the fault is: `.limit`, or empty for a missing parameter. Absent if nothing was found. */
  constructor(
    message: string,
    readonly path?: string,
  ) {
    super(message);
    this.name = 'NodeRefusal';
  }
}

/** A value of a query as a node reads it. A list is a parameter that was given more than once. */
export type NodeValue = string | number | boolean | readonly string[];

/** What some rules depend on. */
interface NetworkFacts {
  readonly pubKeyHash: number;
  readonly activeDelegates: number;
}

/** How a node checks a parameter: it returns what is wrong, in the words of the node's validator (ajv 6), or null. */
export interface NodeRule<T extends NodeValue = NodeValue> {
  (value: NodeValue, network: NetworkFacts): string | null;
  /** Only for the compiler: what a checked value is. */
  readonly value?: T;
}

/** The parameters that a route reads, in the order in which a node checks them. */
type NodeRules = Readonly<Record<string, NodeRule>>;

/** A class whose instances are checked parameters. */
export interface NodeQuery<T extends object = object> {
  new (): T;
  readonly rules: NodeRules;
  readonly required: readonly string[];
}

type Checked<R extends NodeRules, Required> = {
  readonly [K in keyof R]: NonNullable<R[K]['value']> | (K extends Required ? never : undefined);
};

/** Such a class to extend, for `@Query()`. */
export const nodeQuery = <R extends NodeRules, Required extends keyof R & string = never>(
  rules: R,
  ...required: Required[]
): NodeQuery<Checked<R, Required>> =>
  Object.assign(class {}, { rules, required }) as unknown as NodeQuery<Checked<R, Required>>;

export const isNodeQuery = (type: unknown): type is NodeQuery =>
  typeof type === 'function' && 'rules' in type;

/** A parameter that the node reads but does not check. */
export const anyValue: NodeRule = () => null;

/** A whole number. `Infinity` counts as one, as it does for the node. */
export const integer =
  (least?: number, most?: number | ((network: NetworkFacts) => number)): NodeRule<number> =>
  (value, network) => {
    if (typeof value !== 'number') return 'should be integer';
    const largest = typeof most === 'function' ? most(network) : most;
    if (largest !== undefined && value > largest) return `should be <= ${largest}`;
    if (least !== undefined && value < least) return `should be >= ${least}`;
    return value % 1 > 0 || value % 1 < 0 ? 'should be integer' : null;
  };

interface TextLimits {
  /** In code points. */
  readonly shortest?: number;
  readonly longest?: number;
  /** The name of a format, which the fault mentions, and what fits it. */
  readonly format?: readonly [name: string, fits: (text: string, network: NetworkFacts) => boolean];
}

/** Text. Text that looks like a number, `true` and `false` are none: see `nodeValueOf`. */
export const text =
  ({ shortest = 0, longest = Infinity, format }: TextLimits = {}): NodeRule<string> =>
  (value, network) => {
    if (typeof value !== 'string') return 'should be string';
    const { length } = [...value];
    if (length > longest) return `should NOT be longer than ${longest} characters`;
    if (length < shortest) return `should NOT be shorter than ${shortest} characters`;
    return format && !format[1](value, network) ? `should match format "${format[0]}"` : null;
  };

/** An address of this network. */
export const address = text({
  format: ['address', (value, { pubKeyHash }) => decodeBase58Check(value)?.[0] === pubKeyHash],
});

/** 66 hexadecimal digits in either case; the node does not check that they are a key. */
export const publicKey = text({ format: ['publicKey', (value) => /^[0-9a-f]{66}$/i.test(value)] });

/** Ids may look like numbers and stay text. */
const TEXT_ALWAYS: readonly string[] = ['id', 'blockId', 'previousBlock'];

/** What the node makes of a parameter: `1e1`, `0x2`, ` 5` and the empty text are numbers for it. */
const nodeValueOf = (name: string, values: readonly string[]): NodeValue => {
  if (values.length > 1) return values;
  const [value = ''] = values;
  if (TEXT_ALWAYS.includes(name)) return value;
  const number = Number(value);
  if (!Number.isNaN(number)) return number;
  return value === 'true' || (value === 'false' ? false : value);
};

/**
 * Reads the parameters of a class as a node does and ignores all others. Throws `NodeRefusal` for the first fault: a
 * missing parameter comes before a wrong one.
 */
export const readNodeQuery = <T extends object>(
  { rules, required }: NodeQuery<T>,
  query: RawQuery,
  network: NetworkFacts,
): T => {
  const missing = required.find((name) => !query.has(name));
  if (missing !== undefined) throw new NodeRefusal(`should have required property '${missing}'`, '');
  const parameters: Record<string, NodeValue> = {};
  for (const [name, faultOf] of Object.entries(rules)) {
    const values = query.get(name);
    if (!values) continue;
    const value = nodeValueOf(name, values);
    const fault = faultOf(value, network);
    if (fault !== null) throw new NodeRefusal(fault, `.${name}`);
    parameters[name] = value;
  }
  return parameters as T;
};
