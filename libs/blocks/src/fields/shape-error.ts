/** A field that is missing or not of its form; `path` leads to it from what was decoded. */
export class ShapeError extends Error {
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(path ? `"${path}" ${problem}` : `it ${problem}`);
    this.name = 'ShapeError';
  }
}

/** Runs `decode`, and lets a `ShapeError` from it tell that it happened under `key`. */
export const within = <T>(key: string, decode: () => T): T => {
  try {
    return decode();
  } catch (error) {
    throw underKey(error, key);
  }
};

/** Decodes each element of a list, and lets a `ShapeError` tell which one it was. */
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
