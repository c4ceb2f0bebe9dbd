import { InvalidRequestError } from './invalid-request.error.js';
import { parameter } from './parameters.js';

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

const ALLOWED = `${DELEGATE_COLUMNS.join(', ')} (also ${Object.keys(ALIASES).sort().join(', ')}), each alone or followed by :asc or :desc`;

const parseOrder = (text: string, name: string): DelegateOrder => {
  const [columnText = '', direction = 'asc', ...rest] = text.split(':');
  // Like every integer in a query, a position may have leading zeros.
  const column = COLUMNS.get(/^\d{1,15}$/.test(columnText) ? String(Number(columnText)) : columnText);
  if (column && (direction === 'asc' || direction === 'desc') && rest.length === 0) {
    return { column, direction };
  }
  throw new InvalidRequestError(`The parameter "${name}" must be one of ${ALLOWED}.`);
};

export const DelegateOrderParameter = (): PropertyDecorator =>
  parameter({
    description: `The column to sort by: one of ${ALLOWED}. The default is rank; the default direction is ascending.`,
    default: 'rank',
    schema: { type: 'string' },
    parse: parseOrder,
  });
