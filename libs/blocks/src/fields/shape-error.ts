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

/** Runs `decode`; adds `key` to the path of a `ShapeError` that it throws. */
export const within = <T>(key: string, decode: () => T): T => {
  try {
    return decode();
  } catch (error) {
    throw underKey(error, key);
  }
};

/** Decodes each element of a list; adds its index to the path of a `ShapeError`. */
export const decodeEach = <T>(list: readonly unknown[], decode: (element: unknown) => T): T[] => {
  const decoded: T[] = [];
  try {
    for (const element of list) decoded.push(decode(element));
  } catch (error) {
    throw underKey(error, `[${decoded.length}]`);
  }
  return decoded;
};

const underKey = (error: unknown, key: string): unknown => {
  if (!(error instanceof ShapeError)) return error;
  const separator = error.path === '' || error.path.startsWith('[') ? '' : '.';
  return new ShapeError(`${key}${separator}${error.path}`, error.problem);
};
