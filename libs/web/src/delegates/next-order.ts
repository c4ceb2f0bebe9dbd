import type { Column, Order } from '../page/parameters.js';

/** Readers look for names from A on, and for figures from the largest. */
const FIRST_ASCENDING: readonly Column[] = ['rank', 'username'];

/** The order after a press on a column's header. */
export const nextOrder = (order: Order, column: Column): Order => {
  const isAscending = order.column === column ? order.direction === 'desc' : FIRST_ASCENDING.includes(column);
  return { column, direction: isAscending ? 'asc' : 'desc' };
};
