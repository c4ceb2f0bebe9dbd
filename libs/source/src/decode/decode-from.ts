import { ShapeError } from '@roundhouse/chain';
import { NodeProtocolError } from '../errors/node-errors.js';

const heightIn = (value: unknown): number | undefined => {
  const height = (value as { readonly height?: unknown } | null)?.height;
  return typeof height === 'number' ? height : undefined;
};

/**
 * Decodes what `source` returned. Throws `NodeProtocolError` if its shape is wrong. `what` names the value in
 * messages if it has no height.
 */
export const decodeFrom = <T>(
  source: string,
  what: string,
  value: unknown,
  decode: (value: unknown) => T,
  height = heightIn(value),
): T => {
  try {
    return decode(value);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const subject = height === undefined ? what : `${what} at height ${height}`;
    throw new NodeProtocolError(
      source,
      `${source} returned ${subject} in an invalid form: ${error.message}. Nothing of it was stored. ` +
        `Check that this is the right source, or use another one.`,
      { cause: error, ...(height === undefined ? {} : { height }) },
    );
  }
};
