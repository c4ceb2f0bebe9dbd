import { unprocessable } from './api.error.js';

export const MAX_LIMIT = 100;
const BLOCK_ID = /^(\d{1,20}|[0-9a-f]{64})$/i;
const ORDER = /^[a-z._]{1,40}:(asc|desc)$/i;

export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Paging {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

export interface Order {
  readonly property: string;
  readonly isDescending: boolean;
}

/** The parameters of a request. Values that Core 3.x does not accept are rejected with Core's own messages (422). */
export class Query {
  constructor(
    readonly raw: RawQuery,
    allowed: readonly string[],
  ) {
    for (const name of Object.keys(raw)) {
      if (!allowed.includes(name)) throw unprocessable(`"${name}" is not allowed`);
    }
  }

  has(name: string): boolean {
    return this.raw[name] !== undefined;
  }

  /** Null if absent. */
  integer(name: string, least: number): number | null {
    const value = this.raw[name];
    if (value === undefined) return null;
    if (typeof value !== 'string' || !/^-?\d+$/.test(value))
      throw unprocessable(`"${name}" must be a number`);
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw unprocessable(`"${name}" must be a safe number`);
    if (number < least) throw unprocessable(`"${name}" must be greater than or equal to ${least}`);
    return number;
  }

  boolean(name: string, otherwise: boolean): boolean {
    const value = this.raw[name];
    if (value === undefined) return otherwise;
    if (value === 'true' || value === 'false') return value === 'true';
    throw unprocessable(`"${name}" must be a boolean`);
  }

  /** A list, separated by commas or given as repeated parameters. Null if absent. */
  list(name: string): readonly string[] | null {
    const value = this.raw[name];
    if (value === undefined) return null;
    return (typeof value === 'string' ? [value] : value).flatMap((part) => part.split(','));
  }

  blockIds(name: string): readonly string[] | null {
    const ids = this.list(name);
    if (ids?.some((id) => !BLOCK_ID.test(id)))
      throw unprocessable(`"${name}" does not match any of the allowed types`);
    return ids;
  }

  integers(name: string): readonly number[] | null {
    const values = this.list(name);
    if (values?.some((value) => !/^\d+$/.test(value))) {
      throw unprocessable(`"${name}" must be one of [number, object]`);
    }
    return values?.map(Number) ?? null;
  }

  paging(): Paging {
    const page = this.integer('page', 1) ?? 1;
    const limit = this.integer('limit', 1) ?? MAX_LIMIT;
    if (limit > MAX_LIMIT) {
      throw unprocessable(
        '"limit" must be less than or equal to ref:global:configuration.plugins.pagination.limit',
      );
    }
    return { page, limit, offset: this.integer('offset', 0) ?? (page - 1) * limit };
  }

  /** The order, by known properties; empty if the request names none. */
  order(known: readonly string[]): readonly Order[] {
    const parts = this.list('orderBy') ?? [];
    return parts.map((part) => {
      if (!ORDER.test(part)) {
        throw unprocessable(`"orderBy" with value "${part}" fails to match the required pattern: ${ORDER}`);
      }
      const [property = '', direction = ''] = part.split(':');
      if (!known.includes(property)) throw unprocessable(`Unknown orderBy property '${property}'`);
      return { property, isDescending: direction.toLowerCase() === 'desc' };
    });
  }
}
