import { setImmediate as breathe } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';

// The conditions of core-webhooks 3.9 (`conditions.ts`, `listener.ts`), with their oddities.

interface Condition {
  readonly key: string;
  readonly condition: string;
  readonly value?: unknown;
}

type Meets = (actual: unknown, expected: unknown) => boolean;

/** Throws for what has no text. */
const isTrueText = (value: unknown): boolean =>
  (value as { toString(): string }).toString().toLowerCase().trim() === 'true';

/** A whole number as Core's BigNumber reads it: by BigInt, so that text is read too. Throws for what is none. */
const wholeOf = (value: unknown): bigint => BigInt(value as string);

const compared =
  (compare: (actual: bigint, expected: bigint) => boolean): Meets =>
  (actual, expected) => {
    try {
      return compare(wholeOf(actual), wholeOf(expected));
    } catch {
      return false;
    }
  };

const eq: Meets = (actual, expected) => JSON.stringify(actual) === JSON.stringify(expected);
const gt = compared((actual, expected) => actual > expected);
const lt = compared((actual, expected) => actual < expected);

/** Without its ends. Throws if there are none. */
const between: Meets = (actual, expected) => {
  const { min, max } = expected as { readonly min: unknown; readonly max: unknown };
  return gt(actual, min) && lt(actual, max);
};

const REGEXP = new Script('new RegExp(expected).test(actual)');
const CONTEXT = createContext({});
/** How long each try may take. A busy machine may pause during some of them. */
const REGEXP_MS = [10, 15, 25];

/** Throws for one that takes too long: it would hold up the blocks. */
const regexp: Meets = (actual, expected) => {
  Object.assign(CONTEXT, { actual, expected });
  let problem: unknown;
  for (const timeout of REGEXP_MS) {
    try {
      return REGEXP.runInContext(CONTEXT, { timeout }) as boolean;
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
};

/** `not-between` passes the checks of a node, but never fires: it has only this name. */
const CONDITIONS = new Map<string, Meets>(
  Object.entries({
    between,
    contains: (actual, expected) => (actual as string).includes(expected as string),
    eq,
    falsy: (actual) => actual === false || !isTrueText(actual),
    gt,
    gte: compared((actual, expected) => actual >= expected),
    lt,
    lte: compared((actual, expected) => actual <= expected),
    ne: (actual, expected) => !eq(actual, expected),
    notBetween: (actual, expected) => !between(actual, expected),
    regexp,
    truthy: (actual) => actual === true || isTrueText(actual),
  } satisfies Record<string, Meets>),
);

/**
 * Whether an event is posted: there are no conditions, or one is met before one fails to compute. `data` is null if the event
 * has none.
 */
export const meetsConditions = async (data: string | null, conditions: unknown): Promise<boolean> => {
  const wanted = conditions as readonly Condition[];
  if (wanted.length === 0) return true;
  try {
    const values = JSON.parse(data!) as Readonly<Record<string, unknown>>;
    for (const { key, condition, value } of wanted) {
      // There may be many, and blocks wait for this thread.
      await breathe();
      if (CONDITIONS.get(condition)!(values[key], value)) return true;
    }
    return false;
  } catch {
    return false;
  }
};
