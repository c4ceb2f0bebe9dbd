/** `/delegates/genesis_1`. URLs take `.` and `..` for folders, so these names are in the query, as in the API. */
const pathTo = (list: string, name: string): string =>
  name === '.' || name === '..' ? `/${list}/-?name=${name}` : `/${list}/${encodeURIComponent(name)}`;

/** @param name a username or a public key */
export const delegateHref = (name: string): string => pathTo('delegates', name);

/** @param block an id or a height */
export const blockHref = (block: string | number): string => pathTo('blocks', String(block));

/** The blocks of a delegate. */
export const blocksHref = (delegate: string): string =>
  `/blocks?${new URLSearchParams({ delegate }).toString()}`;

/** @param name an address, a public key or a username */
export const accountHref = (name: string): string => pathTo('accounts', name);

export const transactionHref = (id: string): string => pathTo('transactions', id);

const searchHref = (text: string): string => `/search?${new URLSearchParams({ q: text }).toString()}`;

type Query = Readonly<Record<string, string>>;

/** The things that had an address below `/` before they had pages. */
const OLD: readonly (readonly [string, (name: string) => string])[] = [
  ['delegate', delegateHref],
  ['block', blockHref],
  ['account', accountHref],
  ['transaction', transactionHref],
  ['q', searchHref],
];

/** Where an old address of the form `/?block=…` leads now; null if it is none. */
export const newAddressOf = (query: Query): string | null => {
  for (const [name, hrefOf] of OLD) if (query[name]) return hrefOf(query[name]);
  const { orderBy, offset } = query;
  if (!orderBy && !offset) return null;
  return `/delegates?${new URLSearchParams({ ...(orderBy && { orderBy }), ...(offset && { offset }) }).toString()}`;
};
