import { OPPOSITE, type SortDirection } from '../delegate-orders.js';
import { inRange, type Parameters } from './core-fields.js';

// Criteria and orders of the lists that a node has in memory: wallets, delegates, locks, entities. Their values are those
// of the objects that it shows. Source: core-kernel/src/services/search of Core 3.9.1.

/** What a request compares with: text or a number, a range, several of them, or an object of the same. */
export type Criterion =
  string | number | boolean | readonly Criterion[] | { readonly [name: string]: Criterion };

type Criteria = Readonly<Record<string, Criterion>>;

/** `amount`: an integer of any size, which is shown as text. */
export type Kind = 'text' | 'amount' | 'number' | 'flag';

/** A value of the listed objects. */
export interface MemoryField {
  readonly kind: Kind;
  /** Null where the object does not have it. */
  readonly sql: string;
  /** SQL that joins the tables which it needs besides. */
  readonly join?: string;
  /** Whether every object has it, so that an index may have its order. */
  readonly isPresent?: boolean;
}

export const memoryField = (kind: Kind, sql: string, join = ''): MemoryField => ({ kind, sql, join });

/** A column that is never null. */
export const presentField = (kind: Kind, sql: string): MemoryField => ({ kind, sql, isPresent: true });

/** A field that holds whatever objects there are. */
export interface FreeField {
  /** SQL of its member with this name as jsonb; of the whole for `*`. */
  readonly member: (name: string) => Pick<MemoryField, 'sql' | 'join'>;
  /** Whether the text at this path below it is an amount. */
  readonly isAmount: (path: readonly string[]) => boolean;
}

export interface MemoryShape {
  /** By path, with dots. */
  readonly fields: Readonly<Record<string, MemoryField>>;
  readonly free?: Readonly<Record<string, FreeField>>;
}

/** SQL, and what it joins. */
export interface Made {
  readonly sql: string;
  readonly joins: readonly string[];
}

const isObject = (wanted: Criterion): wanted is Criteria =>
  typeof wanted === 'object' && !Array.isArray(wanted);

const listOf = (wanted: Criterion): readonly Criterion[] =>
  Array.isArray(wanted) ? (wanted as readonly Criterion[]) : [wanted];

const textOf = (wanted: Criterion): string => (typeof wanted === 'object' ? '' : String(wanted));

const any = (conditions: readonly string[]): string => `(${conditions.join(' OR ') || 'false'})`;

const all = (conditions: readonly string[]): string => `(${conditions.join(' AND ') || 'true'})`;

/** `%` means any text, at both ends too: the parts only have to follow each other somewhere. */
const patternOf = (text: string): string =>
  `%${text
    .split('%')
    .map((part) => part.replace(/[\\_]/g, '\\$&'))
    .join('%')}%`;

/** Null for text that is none. */
const numberText = (wanted: Criterion | undefined, isAmount: boolean): string | null => {
  if (typeof wanted === 'object') return null;
  if (isAmount) {
    try {
      return String(BigInt(wanted as string));
    } catch {
      return null;
    }
  }
  const number = Number(wanted);
  return Number.isFinite(number) ? String(number) : null;
};

const compareNumber = (sql: string, wanted: Criterion, isAmount: boolean, parameters: Parameters): string => {
  const compare = (operator: string, value: Criterion | undefined): string => {
    const text = numberText(value, isAmount);
    return text === null ? 'false' : `${sql} ${operator} ${parameters.add(text, 'numeric')}`;
  };
  if (!isObject(wanted)) return compare('=', wanted);
  const { from, to } = wanted;
  if (from === undefined && to === undefined) return 'false';
  return inRange(
    { from, to },
    (least) => compare('>=', least),
    (most) => compare('<=', most),
  );
};

const compareText = (sql: string, wanted: Criterion, parameters: Parameters): string => {
  if (typeof wanted !== 'string') return 'false';
  if (!wanted.includes('%')) return `${sql} = ${parameters.add(wanted, 'text')}`;
  return `${sql} LIKE ${parameters.add(patternOf(wanted), 'text')}`;
};

const compare = ({ kind, sql }: MemoryField, wanted: Criterion, parameters: Parameters): string => {
  if (kind === 'text') return compareText(sql, wanted, parameters);
  if (kind === 'flag') return `${sql} = ${textOf(wanted) === 'true'}`;
  return compareNumber(sql, wanted, kind === 'amount', parameters);
};

/** Compares JSON of any type with a criterion, as far as they fit. */
const compareJson = (
  { isAmount }: FreeField,
  value: string,
  path: readonly string[],
  wanted: Criterion,
  parameters: Parameters,
  depth = 0,
): string => {
  const inner = (sql: string, name: string, one: Criterion, deeper = depth): string =>
    any(
      listOf(one).map((each) =>
        compareJson({ isAmount } as FreeField, sql, [...path, name], each, parameters, deeper),
      ),
    );
  const text = `(${value} #>> '{}')`;
  const number = `(CASE WHEN jsonb_typeof(${value}) = 'number' THEN ${text}::numeric END)`;
  const amount = `(CASE WHEN jsonb_typeof(${value}) = 'string' THEN ${text}::numeric END)`;
  const numbers = isAmount(path)
    ? compareNumber(amount, wanted, true, parameters)
    : compareNumber(number, wanted, false, parameters);
  if (isObject(wanted)) {
    const names = Object.keys(wanted);
    const element = `element${depth}`;
    const members =
      names.length === 1 && names[0] === '*'
        ? `EXISTS (SELECT FROM jsonb_each(CASE jsonb_typeof(${value}) WHEN 'object' THEN ${value} END) AS ${element}
            WHERE ${inner(`${element}.value`, '*', wanted['*']!, depth + 1)})`
        : all(
            names.map((name) => inner(`(${value} -> ${parameters.add(name, 'text')})`, name, wanted[name]!)),
          );
    return any([numbers, `(jsonb_typeof(${value}) = 'object' AND ${members})`]);
  }
  const flag = `(jsonb_typeof(${value}) = 'boolean' AND ${text} = ${parameters.add(textOf(wanted), 'text')})`;
  if (isAmount(path)) return any([numbers, flag]);
  const isText = `jsonb_typeof(${value}) = 'string' AND ${compareText(text, wanted, parameters)}`;
  return any([numbers, flag, `(${isText})`]);
};

/** SQL that holds for the objects that meet all criteria. */
export const criteriaSql = (
  { fields, free = {} }: MemoryShape,
  criteria: Criteria,
  parameters: Parameters,
): Made => {
  const joins: string[] = [];
  const test = (path: string, wanted: Criterion): string => {
    const field = fields[path];
    if (field) {
      joins.push(field.join ?? '');
      return any(listOf(wanted).map((one) => compare(field, one, parameters)));
    }
    const members = (object: Criteria, of: (name: string, one: Criterion) => string): string =>
      all(Object.entries(object).map(([name, one]) => of(name, one)));
    return any(
      listOf(wanted).map((one) => {
        if (!isObject(one)) return 'false';
        const freely = free[path];
        if (!freely) return members(one, (name, inner) => test(`${path}.${name}`, inner));
        const names = Object.keys(one);
        if (names.length === 1 && names[0] === '*') {
          const whole = freely.member('*');
          joins.push(whole.join ?? '');
          return compareJson(freely, whole.sql, [], one, parameters);
        }
        return members(one, (name, inner) => {
          const member = freely.member(name);
          joins.push(member.join ?? '');
          return any(listOf(inner).map((each) => compareJson(freely, member.sql, [name], each, parameters)));
        });
      }),
    );
  };
  const sql = all(Object.entries(criteria).map(([name, wanted]) => test(name, wanted)));
  return { sql, joins };
};

/** SQL that sorts by these properties, or from the end; objects without one are last in both directions. */
export const orderSql = (
  { fields, free = {} }: MemoryShape,
  sorts: readonly { readonly property: string; readonly direction: SortDirection }[],
  parameters: Parameters,
  isFromEnd: boolean,
): Made => {
  const joins: string[] = [];
  const keys = sorts.flatMap(({ property, direction: wanted }) => {
    const direction = isFromEnd ? OPPOSITE[wanted] : wanted;
    const last = `${direction} NULLS ${isFromEnd ? 'FIRST' : 'LAST'}`;
    const field = fields[property];
    if (field) {
      joins.push(field.join ?? '');
      return [
        `${field.sql}${field.kind === 'text' ? ' COLLATE "C"' : ''} ${field.isPresent ? direction : last}`,
      ];
    }
    const [name = '', first = '', ...rest] = property.split('.');
    const freely = free[name];
    if (!freely) return [];
    const { sql, join = '' } = freely.member(first);
    joins.push(join);
    const value = rest.length > 0 ? `(${sql} #> ${parameters.add(rest, 'text[]')})` : sql;
    const text = `(${value} #>> '{}')`;
    if (freely.isAmount([first, ...rest])) return [`${text}::numeric ${last}`];
    const typed = (type: string, key: string): string =>
      `CASE WHEN jsonb_typeof(${value}) = '${type}' THEN ${key} END ${last}`;
    return [
      typed('number', `${text}::numeric`),
      typed('string', `${text} COLLATE "C"`),
      typed('boolean', `${text}::boolean`),
    ];
  });
  return { sql: keys.join(', '), joins };
};
