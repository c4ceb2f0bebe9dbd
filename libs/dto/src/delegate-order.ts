const COLUMNS = [
  'rank',
  'username',
  'address',
  'publicKey',
  'vote',
  'producedblocks',
  'missedblocks',
  'productivity',
  'forged',
] as const;

type DelegateColumn = (typeof COLUMNS)[number];

/** Other names that existing clients send for columns. A number is a field's position in the documented Delegate. */
const ALIASES: Readonly<Record<string, DelegateColumn>> = {
  rate: 'rank',
  votes: 'vote',
  approval: 'vote',
  '1': 'username',
  '2': 'address',
  '3': 'publicKey',
  '4': 'vote',
};

const NAMES = new Map<string, DelegateColumn>([
  ...COLUMNS.map((column) => [column, column] as const),
  ...Object.entries(ALIASES),
]);

export const ALLOWED_ORDERS = `${COLUMNS.join(', ')} (also ${Object.keys(ALIASES).sort().join(', ')}), each alone or followed by :asc or :desc`;

/** Null if the text is no order. */
export const readOrder = (text: string): { column: DelegateColumn; direction: 'asc' | 'desc' } | null => {
  const [name = '', direction = 'asc', ...rest] = text.split(':');
  // Like every integer in a query, a position may have leading zeros.
  const column = NAMES.get(/^\d{1,15}$/.test(name) ? String(Number(name)) : name);
  if (!column || rest.length > 0) return null;
  return direction === 'asc' || direction === 'desc' ? { column, direction } : null;
};
