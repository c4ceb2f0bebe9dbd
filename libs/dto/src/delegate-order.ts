export const DELEGATE_COLUMNS = [
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

export type DelegateColumn = (typeof DELEGATE_COLUMNS)[number];

export interface DelegateOrder {
  readonly column: DelegateColumn;
  readonly direction: 'asc' | 'desc';
}

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

const COLUMNS = new Map<string, DelegateColumn>([
  ...DELEGATE_COLUMNS.map((column) => [column, column] as const),
  ...Object.entries(ALIASES),
]);

export const ALLOWED_ORDERS = `${DELEGATE_COLUMNS.join(', ')} (also ${Object.keys(ALIASES).sort().join(', ')}), each alone or followed by :asc or :desc`;

/** Null if the text is no order. */
export const readOrder = (text: string): DelegateOrder | null => {
  const [columnText = '', direction = 'asc', ...rest] = text.split(':');
  // Like every integer in a query, a position may have leading zeros.
  const column = COLUMNS.get(/^\d{1,15}$/.test(columnText) ? String(Number(columnText)) : columnText);
  const isOrder = column && (direction === 'asc' || direction === 'desc') && rest.length === 0;
  return isOrder ? { column, direction } : null;
};
