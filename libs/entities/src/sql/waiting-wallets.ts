/** While a transaction has this setting, wallets of the SQL views are only noted: another one follows at once. */
export const MORE_FOLLOWS = 'roundhouse.more_follows';

/** Wallets wait for the next move of the head. */
export const LET_WALLETS_WAIT = `SET LOCAL ${MORE_FOLLOWS} = on`;

/** Makes those that waited, if there are views. */
export const MAKE_WALLETS = 'UPDATE head SET id = id';
