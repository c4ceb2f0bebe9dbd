/** The columns of the table of delegates, named as in the API's `orderBy`. */
const COLUMNS = [
  'rank',
  'username',
  'vote',
  'producedblocks',
  'missedblocks',
  'productivity',
  'forged',
] as const;

export type Column = (typeof COLUMNS)[number];

export interface Order {
  readonly column: Column;
  readonly direction: 'asc' | 'desc';
}

export const DEFAULT_ORDER: Order = { column: 'rank', direction: 'asc' };

const isColumn = (text: string): text is Column => (COLUMNS as readonly string[]).includes(text);

export const readOrder = (text: string): Order => {
  const [column = '', direction] = text.split(':');
  return isColumn(column) ? { column, direction: direction === 'desc' ? 'desc' : 'asc' } : DEFAULT_ORDER;
};

export const writeOrder = ({ column, direction }: Order): string => `${column}:${direction}`;

/** A public key; a longer text finds nothing. */
export const LONGEST_SEARCH = 66;

// How pages read the values of parameters. What they do not understand is empty, so a mistyped address still shows a page.

export const orderParameter = (text: string): string => {
  const order = writeOrder(readOrder(text));
  return order === writeOrder(DEFAULT_ORDER) ? '' : order;
};

export const offsetParameter = (text: string): string =>
  /^\d{1,9}$/.test(text) ? String(Number(text) || '') : '';

export const searchParameter = (text: string): string => [...text.trim()].slice(0, LONGEST_SEARCH).join('');

/** The API refuses a cursor that it has not written. */
export const cursorParameter = (text: string): string => text;
