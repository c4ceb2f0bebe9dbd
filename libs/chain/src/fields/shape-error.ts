/** A field that is missing or malformed; `path` leads to it from the decoded value. */
export class ShapeError extends Error {
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(path ? `"${path}" ${problem}` : `it ${problem}`);
    this.name = 'ShapeError';
  }
}

/** The error under the key of the value in which it occurred, if it is a `ShapeError`. */
export const underKey = (error: unknown, key: string): unknown => {
  if (!(error instanceof ShapeError)) return error;
  const separator = error.path === '' || error.path.startsWith('[') ? '' : '.';
  return new ShapeError(`${key}${separator}${error.path}`, error.problem);
};

const shown = (value: unknown): string => {
  if (value === undefined) return 'is missing';
  const text = typeof value === 'bigint' ? value.toString() : JSON.stringify(value, bigintAsText);
  return `is ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`;
};

/** A replacer for `JSON.stringify` that writes each bigint as text. */
const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

/** Throws `ShapeError` for a value that must be something else. */
export const fail = (key: string, value: unknown, wanted: string): never => {
  throw new ShapeError(key, `${shown(value)}, but must be ${wanted}`);
};
