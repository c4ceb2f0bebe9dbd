import pg from 'pg';

// How values travel between rows and PostgreSQL.

// An ECDSA signature is DER: 30, the length of the rest, then r and s, each as 02, its length, and itself. A number whose
// first bit is set has a 0 before it. All but r and s follows from them, so usually 64 bytes are stored instead of 70 to 72.

const NUMBER = '02(?:20([0-7][0-9a-f]{63})|2100([89a-f][0-9a-f]{63}))';
const DER = new RegExp(`^30([0-9a-f]{2})${NUMBER}${NUMBER}$`);
export const COMPACT_DIGITS = 128;
export const NUMBER_DIGITS = 64;
const BEFORE_REST_DIGITS = 4;

/** r and s of a signature; null if it is not DER of numbers of 32 bytes, or if r begins with 0. */
const compactOf = (signature: string): string | null => {
  const parts = DER.exec(signature);
  if (parts === null || Number.parseInt(parts[1]!, 16) * 2 + BEFORE_REST_DIGITS !== signature.length)
    return null;
  const [r, s] = [parts[2] ?? parts[3]!, parts[4] ?? parts[5]!];
  return r.startsWith('00') ? null : r + s;
};

/**
 * The bytes that are stored for a signature, which may be any bytes: r and s of DER, if r does not begin with 0. Other
 * signatures are stored as they are, but with a 0 before those that begin with 0 or have 64 bytes, as Schnorr signatures do.
 * All in lower-case hexadecimal text.
 */
const storedSignature = (signature: string): string => {
  const compact = compactOf(signature);
  if (compact !== null) return compact;
  const isAmbiguous = signature.startsWith('00') || signature.length === COMPACT_DIGITS;
  return isAmbiguous ? `00${signature}` : signature;
};

/**
 * How rows hold the bytes of a column as text. `hex`: lower-case hexadecimal. `block id`: decimal text below 2^64 for 8
 * big-endian bytes, or hexadecimal for the 32 bytes of a full SHA-256. Serialised headers hold the same bytes.
 * `signature`: lower-case hexadecimal of the signature; `storedSignature` gives the bytes that are stored.
 */
export type Form = 'hex' | 'block id' | 'signature';

export const SHORT_ID_DIGITS = 16;
const FULL_ID_DIGITS = 64;

/** The bytes of a value, in hexadecimal. */
export const hexOfForm = (form: Form, value: string): string => {
  if (form === 'signature') return storedSignature(value);
  return form === 'hex' || value.length === FULL_ID_DIGITS
    ? value
    : BigInt(value).toString(16).padStart(SHORT_ID_DIGITS, '0');
};

/** A value as a parameter of a statement. */
export const bytesOf = (form: Form, value: string): Buffer => Buffer.from(hexOfForm(form, value), 'hex');

/** Converts text as rows hold it to PostgreSQL's text form of its bytes. */
export const byteaText = (form: Form, value: string): string => `\\x${hexOfForm(form, value)}`;

/** What this needs to know of a column. */
interface Column {
  readonly property: string;
  readonly form?: Form;
}

/** The values of rows by column, as parameters of a statement. */
export const arraysOf = <Row extends object>(rows: readonly Row[], columns: readonly Column[]): unknown[][] =>
  columns.map(({ property, form }) =>
    rows.map((row) => {
      const value: unknown = row[property as keyof Row];
      return form === undefined || value === null ? value : byteaText(form, value as string);
    }),
  );

/** Reads PostgreSQL's bigint, and whole numerics such as sums, as bigint: a number could lose digits. */
export const EXACT_TYPES = new pg.TypeOverrides();
EXACT_TYPES.setTypeParser(pg.types.builtins.INT8, BigInt);
EXACT_TYPES.setTypeParser(pg.types.builtins.NUMERIC, BigInt);
/** The type of a list of bigint: `{1,2}`. */
const INT8_ARRAY = 1016;
EXACT_TYPES.setTypeParser(INT8_ARRAY, (list: string) => (list.match(/-?\d+/g) ?? []).map(BigInt));

/** The rows of a statement, with amounts as bigint. */
export const queryRows = async <Row extends pg.QueryResultRow>(
  db: pg.Pool | pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => (await db.query<Row>({ text, values: values as unknown[], types: EXACT_TYPES })).rows;
