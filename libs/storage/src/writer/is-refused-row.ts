/** Data exceptions (a value out of range, text that cannot be stored), and values too large for an index. */
const REFUSED = /^(22|54)/;

/** A value is there already: violations of a unique index, and of a constraint that holds hashes. */
const DUPLICATE: ReadonlySet<string> = new Set(['23505', '23P01']);

const TRANSACTION_IDS = 'ux_transactions__id';

/** Constraints that only blocks can violate. A violation of any other means that the tables contradict themselves. */
const CONSTRAINTS_ON_BLOCKS: ReadonlySet<unknown> = new Set([
  'ux_blocks__id',
  TRANSACTION_IDS,
  'ux_delegates__username',
]);

/** Whether PostgreSQL refuses the contents of a block, so that retrying the same block is useless. */
export const isRefusedRow = (error: unknown): boolean => {
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown };
  if (typeof code !== 'string') return false;
  return REFUSED.test(code) || (DUPLICATE.has(code) && CONSTRAINTS_ON_BLOCKS.has(constraint));
};

/** Whether the block has a transaction whose id the tables have already. */
export const isReplay = (error: unknown): boolean =>
  (error as { readonly constraint?: unknown }).constraint === TRANSACTION_IDS;
