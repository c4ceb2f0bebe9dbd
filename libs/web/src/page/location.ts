/** The columns of the table of delegates, named as in the API's `orderBy`. */
export const COLUMNS = [
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

/** Which of the delegates are listed, and how. */
export interface DelegateList {
  readonly search: string;
  readonly order: Order;
  /** How many come before the first one that is listed. */
  readonly offset: number;
}

/** What the page shows, according to its address. Every view can be linked to and works without scripts. */
export type PageLocation =
  | { readonly view: 'overview'; readonly list: DelegateList }
  | { readonly view: 'delegate'; readonly username: string; readonly offset: number }
  | { readonly view: 'block'; readonly id: string; readonly cursor: string }
  | { readonly view: 'account'; readonly name: string; readonly cursor: string }
  | { readonly view: 'transaction'; readonly id: string };

/** A public key; a longer text finds nothing. */
export const LONGEST_SEARCH = 66;

export const DEFAULT_ORDER: Order = { column: 'rank', direction: 'asc' };

export const OVERVIEW: PageLocation = {
  view: 'overview',
  list: { search: '', order: DEFAULT_ORDER, offset: 0 },
};

const isColumn = (text: string): text is Column => (COLUMNS as readonly string[]).includes(text);

const readOrder = (text: string): Order => {
  const [column = '', direction] = text.split(':');
  return isColumn(column) ? { column, direction: direction === 'desc' ? 'desc' : 'asc' } : DEFAULT_ORDER;
};

/** All values of a parameter, in order: `URLSearchParams` has this method. */
export interface PageQuery {
  getAll(name: string): readonly string[];
}

/** A button's value comes after that of a field of the same name, so the last one counts. */
const last = (query: PageQuery, name: string): string => query.getAll(name).at(-1) ?? '';

const readOffset = (query: PageQuery): number => {
  const offset = last(query, 'offset');
  return /^\d{1,9}$/.test(offset) ? Number(offset) : 0;
};

/** Reads the page's query. It ignores what it does not understand, so a mistyped address still shows a page. */
export const readLocation = (query: PageQuery): PageLocation => {
  const username = last(query, 'delegate');
  const id = last(query, 'block');
  if (username !== '') return { view: 'delegate', username, offset: readOffset(query) };
  if (id !== '') return { view: 'block', id, cursor: last(query, 'cursor') };
  const name = last(query, 'account');
  if (name !== '') return { view: 'account', name, cursor: last(query, 'cursor') };
  const transaction = last(query, 'transaction');
  if (transaction !== '') return { view: 'transaction', id: transaction };
  return {
    view: 'overview',
    list: {
      search: [...last(query, 'q').trim()].slice(0, LONGEST_SEARCH).join(''),
      order: readOrder(last(query, 'orderBy')),
      offset: readOffset(query),
    },
  };
};

export const writeOrder = ({ column, direction }: Order): string => `${column}:${direction}`;

const offsetQuery = (offset: number): Record<string, string> =>
  offset > 0 ? { offset: String(offset) } : {};

const cursorQuery = (cursor: string): Record<string, string> => (cursor === '' ? {} : { cursor });

const queryOf = (location: PageLocation): Record<string, string> => {
  switch (location.view) {
    case 'delegate':
      return { delegate: location.username, ...offsetQuery(location.offset) };
    case 'block':
      return { block: location.id, ...cursorQuery(location.cursor) };
    case 'account':
      return { account: location.name, ...cursorQuery(location.cursor) };
    case 'transaction':
      return { transaction: location.id };
    case 'overview': {
      const { search, order, offset } = location.list;
      return {
        ...(search === '' ? {} : { q: search }),
        ...(writeOrder(order) === writeOrder(DEFAULT_ORDER) ? {} : { orderBy: writeOrder(order) }),
        ...offsetQuery(offset),
      };
    }
  }
};

/** The one address of a location, relative to the server. */
export const writeLocation = (location: PageLocation): string => {
  const query = new URLSearchParams(queryOf(location)).toString();
  return query === '' ? '/' : `/?${query}`;
};

export const delegateHref = (username: string, offset = 0): string =>
  writeLocation({ view: 'delegate', username, offset });

export const blockHref = (id: string, cursor = ''): string => writeLocation({ view: 'block', id, cursor });

/** @param name an address, a public key or a username */
export const accountHref = (name: string, cursor = ''): string =>
  writeLocation({ view: 'account', name, cursor });

export const transactionHref = (id: string): string => writeLocation({ view: 'transaction', id });
