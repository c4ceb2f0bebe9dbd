/**
 * What the rarer transaction types leave at an account, in the form in which a restarted node of Core 3.9 has it as
 * attributes of the wallet. Absent if there is nothing.
 */
export interface Attributes {
  readonly business?: Business;
  /** By the id of the registration. */
  readonly entities?: Readonly<Record<string, Entity>>;
  readonly ipfs?: { readonly hashes: Readonly<Record<string, true>> };
  /** Of a registration of version 1. The members of version 2 are in the account's `multiSignature`. */
  readonly multiSignature?: { readonly [key: string]: unknown; readonly legacy: true };
}

type Part = Readonly<Record<string, unknown>>;

interface Resignable {
  readonly resigned?: true;
}

interface Business extends Resignable {
  readonly businessAsset?: Part;
  /** By the hash of their genesis blocks. */
  readonly bridgechains?: Readonly<Record<string, Bridgechain>>;
}

export interface Bridgechain extends Resignable {
  readonly bridgechainAsset?: Part;
}

export interface Entity extends Resignable {
  readonly type?: unknown;
  readonly subType?: unknown;
  readonly data?: Part;
}

const sorted = (_key: string, value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));

/** JSON with sorted keys: sources give the keys of an asset in different orders. */
export const textOfAttributes = (attributes: Attributes): string => JSON.stringify(attributes, sorted);

/** Reads what `textOfAttributes` writes. Null is an account without attributes. */
export const attributesOf = (text: string | null): Attributes =>
  text === null ? {} : (JSON.parse(text) as Attributes);
