import type { NodeLine } from './node-lines.js';
import { NodeRefusal, refusalBody } from './node-refusal.js';

export interface NodeQuery {
  /** The values of each requested filter. */
  readonly filters: ReadonlyMap<string, readonly string[]>;
  readonly page: number;
  readonly limit: number;
  readonly offset: number | null;
  readonly orderBy: readonly { readonly property: string; readonly isDescending: boolean }[];
  readonly isRaw: boolean;
}

/** A search: the items whose property is within these bounds, both included. */
export interface NodeSearch {
  readonly paging: NodeQuery;
  readonly from: number;
  readonly to: number;
}

/** A node refuses more. */
export const LARGEST_PAGE = 100;

const PAGING = ['page', 'limit', 'offset', 'orderBy'];

/** The parameters of a list besides those of its pages. */
interface Form {
  readonly filters: readonly string[];
  readonly orders: readonly string[];
  /** Whether it comes from the node's database: then it has `transform`, and estimates its total. */
  readonly isStored: boolean;
}

/** Lines with searches have other filters, none of which an indexer uses. */
export const LISTS = {
  blocks: {
    filters: ['id', 'height', 'height.from', 'height.to', 'generatorPublicKey'],
    orders: ['height', 'timestamp'],
    isStored: true,
  },
  transactions: {
    filters: ['id', 'blockId', 'type', 'typeGroup', 'senderPublicKey', 'senderId', 'recipientId'],
    orders: ['timestamp', 'sequence'],
    isStored: true,
  },
  'block-transactions': { filters: [], orders: ['timestamp', 'sequence'], isStored: true },
  unconfirmed: { filters: [], orders: [], isStored: false },
  delegates: { filters: [], orders: [], isStored: false },
  wallets: { filters: [], orders: [], isStored: false },
  peers: { filters: [], orders: [], isStored: false },
} as const satisfies Readonly<Record<string, Form>>;

export type NodeResource = keyof typeof LISTS;

const BLOCK_ID = /^(\d{1,20}|[0-9a-f]{64})$/;
const ANY_OF_THE_ALLOWED = 'does not match any of the allowed types';

const VALUES: Readonly<Record<string, { readonly form: RegExp; readonly message: string }>> = {
  id: { form: BLOCK_ID, message: ANY_OF_THE_ALLOWED },
  blockId: { form: BLOCK_ID, message: ANY_OF_THE_ALLOWED },
  height: { form: /^\d+$/, message: 'must be one of [number, object]' },
  'height.from': { form: /^\d+$/, message: ANY_OF_THE_ALLOWED },
  'height.to': { form: /^\d+$/, message: ANY_OF_THE_ALLOWED },
};

/** Reads queries as one line of Core does. Throws `NodeRefusal`. */
export class NodeQueryReader {
  constructor(private readonly line: NodeLine) {}

  read(resource: NodeResource, parameters: URLSearchParams): NodeQuery {
    const form: Form = LISTS[resource];
    const filterNames = this.line.hasSearches ? [] : form.filters;
    const hasTransform = this.line.hasTransform && form.isStored;
    const known = [...PAGING, ...filterNames, ...(hasTransform ? ['transform'] : [])];
    for (const name of parameters.keys()) {
      if (!known.includes(name)) throw this.invalid(name.split('.')[0]!, 'is not allowed');
    }
    const filters = new Map<string, readonly string[]>();
    for (const name of filterNames) {
      if (parameters.has(name)) filters.set(name, this.filter(name, parameters.getAll(name)));
    }
    return {
      filters,
      page: this.integer(parameters, 'page') ?? 1,
      limit: this.integer(parameters, 'limit') ?? LARGEST_PAGE,
      offset: this.integer(parameters, 'offset'),
      orderBy: this.orderBy(form.orders, parameters.get('orderBy')),
      isRaw: this.isRaw(parameters),
    };
  }

  /**
   * Reads a search by a range of one property; a node knows others. No recorded answer has one: this is Core's own schema
   * (2.4.15, `core-api/src/versions/2`), which takes no order.
   */
  readSearch(property: 'height' | 'timestamp', parameters: URLSearchParams, payload: unknown): NodeSearch {
    if (parameters.has('orderBy')) throw this.invalid('orderBy', 'is not allowed');
    const paging = this.read('block-transactions', parameters);
    const other = Object.keys(payload as object).find((name) => name !== property);
    if (other !== undefined) throw this.invalid(other, 'is not allowed', 'payload');
    const { from, to } = (payload as Record<string, { readonly from?: unknown; readonly to?: unknown }>)[
      property
    ]!;
    if (!Number.isInteger(from) || !Number.isInteger(to))
      throw this.invalid(property, 'must be a number', 'payload');
    return { paging, from: from as number, to: to as number };
  }

  /** Checks the key by which a block is requested. */
  blockKey(text: string): string {
    if (BLOCK_ID.test(text)) return text;
    throw this.line.refusal === 422
      ? this.invalid('id', ANY_OF_THE_ALLOWED)
      : new NodeRefusal(
          400,
          refusalBody(
            400,
            `child "id" fails because ["id" with value "${text}" fails to match the decimal non-negative integer ` +
              `pattern, "id" length must be 64 characters long]`,
            { validation: { source: 'params', keys: ['id', 'id'] } },
          ),
        );
  }

  /** Checks the key by which a transaction is requested. */
  transactionKey(text: string): string {
    if (text.length === 64) return text;
    throw this.invalid('id', 'length must be 64 characters long');
  }

  private filter(name: string, values: readonly string[]): readonly string[] {
    const split = values.flatMap((value) => value.split(','));
    const rule = VALUES[name];
    if (rule && split.some((value) => !rule.form.test(value))) {
      const key = name.startsWith('height.') ? 'height' : name;
      throw this.invalid(key, rule.message);
    }
    return split;
  }

  private integer(parameters: URLSearchParams, name: 'page' | 'limit' | 'offset'): number | null {
    const [text, ...more] = parameters.getAll(name);
    if (text === undefined) return null;
    if (more.length > 0 || !/^-?\d+$/.test(text)) throw this.invalid(name, 'must be a number');
    const value = Number(text);
    if (name === 'page' && value < 1) throw this.invalid(name, 'must be a positive number');
    const least = name === 'offset' ? 0 : 1;
    if (value < least) {
      const word = this.line.refusal === 422 ? 'greater' : 'larger';
      throw this.invalid(name, `must be ${word} than or equal to ${least}`);
    }
    if (name === 'limit' && value > LARGEST_PAGE) {
      // Newer lines name their setting instead of the number.
      const most =
        this.line.refusal === 422 ? 'ref:global:configuration.plugins.pagination.limit' : LARGEST_PAGE;
      throw this.invalid(name, `must be less than or equal to ${most}`);
    }
    return value;
  }

  private orderBy(known: readonly string[], text: string | null): NodeQuery['orderBy'] {
    if (text === null) return [];
    if (text.includes(',') && !this.line.takesTwoOrders) throw this.invalid('orderBy', 'must be a string');
    return text.split(',').map((part) => {
      if (!/^[a-z._]{1,40}:(asc|desc)$/i.test(part)) {
        throw this.invalid(
          'orderBy',
          `with value "${text}" fails to match the required pattern: /^[a-z._]{1,40}:(asc|desc)$/i`,
        );
      }
      const [property = '', direction] = part.split(':');
      if (!known.includes(property)) {
        const status = this.line.refusal;
        throw new NodeRefusal(status, refusalBody(status, `Unknown orderBy property '${property}'`));
      }
      return { property, isDescending: direction?.toLowerCase() === 'desc' };
    });
  }

  isRaw(parameters: URLSearchParams): boolean {
    const transform = parameters.get('transform');
    if (transform !== null && transform !== 'true' && transform !== 'false') {
      throw this.invalid('transform', 'must be a boolean');
    }
    return transform === 'false';
  }

  private invalid(name: string, problem: string, source = 'query'): NodeRefusal {
    if (this.line.refusal === 422) return new NodeRefusal(422, refusalBody(422, `"${name}" ${problem}`));
    const message =
      problem === 'is not allowed'
        ? `"${name}" ${problem}`
        : `child "${name}" fails because ["${name}" ${problem}]`;
    return new NodeRefusal(400, refusalBody(400, message, { validation: { source, keys: [name] } }));
  }
}
