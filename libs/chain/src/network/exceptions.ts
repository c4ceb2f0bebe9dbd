import { NetworkConfigError } from '../errors/chain-error.js';

/**
 * What a network's history contains against its own rules (protocol.md, "Exceptions"). All keys are optional: a young
 * network has none of them.
 */
export interface Exceptions {
  /** Blocks that fail a check but are valid. */
  readonly blocks?: readonly string[];
  /** Transactions that fail a check but are valid. */
  readonly transactions?: readonly string[];
  /** Computed block id → the id that the chain uses instead. */
  readonly outlookTable?: Readonly<Record<string, string>>;
  /** Computed transaction id → the id that the chain uses instead. */
  readonly transactionIdFixTable?: Readonly<Record<string, string>>;
  /** Block id → the ids of its transactions in the order that applies. */
  readonly wrongTransactionOrder?: Readonly<Record<string, readonly string[]>>;
  /** Block id → the transactions with which an excepted block was accepted. */
  readonly blocksTransactions?: Readonly<Record<string, readonly string[]>>;
  /** Public key → nonce → the negative balance that the account may have at that nonce. */
  readonly negativeBalances?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Throws if the value at this path has another form. */
type Check = (value: unknown, path: string) => void;

const refuse = (path: string, wanted: string): never => {
  throw new NetworkConfigError(`The network configuration needs ${wanted} at "${path}".`);
};

const text: Check = (value, path) => {
  if (typeof value !== 'string') refuse(path, 'text');
};

/** Core's own configurations write balances as text; numbers are accepted too. */
const wholeNumber: Check = (value, path) => {
  const isNumber = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!isNumber && !(typeof value === 'string' && /^-?\d+$/.test(value))) refuse(path, 'a whole number');
};

const listOf =
  (check: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return refuse(path, 'a list');
    for (const [place, element] of value.entries()) check(element, `${path}[${place}]`);
  };

const mapOf =
  (check: Check): Check =>
  (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(path, 'an object');
    for (const [key, element] of Object.entries(value)) check(element, `${path}.${key}`);
  };

const FORMS: Readonly<Record<keyof Exceptions, Check>> = {
  blocks: listOf(text),
  transactions: listOf(text),
  outlookTable: mapOf(text),
  transactionIdFixTable: mapOf(text),
  wrongTransactionOrder: mapOf(listOf(text)),
  blocksTransactions: mapOf(listOf(text)),
  negativeBalances: mapOf(mapOf(wholeNumber)),
};

/**
 * Reads the `exceptions` of a network configuration; they may be absent or null. Throws `NetworkConfigError` with the
 * path.
 */
export const parseExceptions = (value: unknown): Exceptions => {
  if (value === undefined || value === null) return {};
  mapOf(() => undefined)(value, 'exceptions');
  const exceptions = value as Readonly<Record<string, unknown>>;
  for (const [key, check] of Object.entries(FORMS)) {
    if (exceptions[key] !== undefined) check(exceptions[key], `exceptions.${key}`);
  }
  return exceptions;
};
