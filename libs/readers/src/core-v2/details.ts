import { NoDetailsError } from '../errors.js';

/** SQL of a column that `assertDetails` reads. */
export const HAS_DETAILS = 'h.has_details AS "hasDetails"';

/** Throws `NoDetailsError` if an earlier version began the index: attributes, weights of rounds and fees of days are not kept. */
export const assertDetails = <Row extends object>(
  rows: readonly [Row, ...Row[]],
): readonly [Row, ...Row[]] => {
  if (!(rows[0] as { readonly hasDetails?: boolean }).hasDetails) throw new NoDetailsError();
  return rows;
};
