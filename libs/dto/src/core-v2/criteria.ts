import Joi from 'joi';

// What Core 3.9's lists can be asked for, as data: the rules of each field, in the order in which a node checks them. Their
// refusals are Joi's own texts. Source: packages/core-api/src/schemas.ts and resources-new of Core 3.9.1.

export type Fields = Readonly<Record<string, Joi.Schema>>;

const whole = Joi.number().integer();
export const fromZero = whole.min(0);
export const fromOne = whole.min(1);
const positive = whole.positive();
const hex = Joi.string().hex();
export const hex64 = hex.length(64);
export const hex66 = hex.length(66);
export const base58 = Joi.string().alphanum().length(34);
const anyBlockId = Joi.alternatives().try(
  Joi.string()
    .min(1)
    .max(20)
    .regex(/^[0-9]+$/, 'decimal non-negative integer'),
  hex64,
);

// Lists that a node reads from its tables: a value, or several.

const oneOrMore = (rule: Joi.Schema): Joi.Schema => Joi.alternatives().try(rule, Joi.array().items(rule));

const numberOrRange = (rule: Joi.Schema): Joi.Schema =>
  oneOrMore(
    Joi.alternatives().try(
      rule,
      Joi.object({ from: rule }),
      Joi.object({ to: rule }),
      Joi.object({ from: rule, to: rule }),
    ),
  );

export const BLOCK_FIELDS = {
  id: oneOrMore(anyBlockId),
  version: oneOrMore(fromZero),
  timestamp: numberOrRange(fromZero),
  previousBlock: oneOrMore(anyBlockId),
  height: numberOrRange(fromZero),
  numberOfTransactions: numberOrRange(fromZero),
  totalAmount: numberOrRange(fromZero),
  totalFee: numberOrRange(fromZero),
  reward: numberOrRange(fromZero),
  payloadLength: numberOrRange(fromZero),
  payloadHash: oneOrMore(hex),
  generatorPublicKey: oneOrMore(hex66),
  blockSignature: oneOrMore(hex),
} satisfies Fields;

export const TRANSACTION_FIELDS = {
  address: oneOrMore(base58),
  senderId: oneOrMore(base58),
  recipientId: oneOrMore(base58),
  id: oneOrMore(hex64),
  version: oneOrMore(positive),
  blockId: oneOrMore(anyBlockId),
  sequence: numberOrRange(positive),
  timestamp: numberOrRange(fromZero),
  nonce: numberOrRange(positive),
  senderPublicKey: oneOrMore(hex66),
  type: oneOrMore(fromZero),
  typeGroup: oneOrMore(fromZero),
  vendorField: oneOrMore(Joi.string().max(255, 'utf8')),
  amount: numberOrRange(fromZero),
  fee: numberOrRange(fromZero),
  asset: oneOrMore(Joi.object()),
} satisfies Fields;

// Parameters of paths.

export const ID = {
  block: anyBlockId,
  /** `blocks/{id}/transactions` takes any text. */
  any: Joi.string(),
  transaction: hex64,
  wallet: Joi.alternatives(base58, hex66, Joi.string().max(256)),
  /** The lists below a wallet do not take any text. */
  walletOfList: Joi.alternatives().try(
    Joi.string()
      .regex(/^[a-z0-9!@$&_.]+$/)
      .min(1)
      .max(20),
    base58,
    hex66,
  ),
  round: fromOne,
  days: fromOne.max(30),
  peer: Joi.string().ip({ version: ['ipv4', 'ipv6'] }),
} satisfies Fields;

/** The body of a request for what closed these locks. */
export const LOCK_IDS = Joi.object({
  ids: Joi.array().unique().min(1).max(25).items(hex64).required(),
}).required();

// Parameters of queries.

/** The rules of these fields as those of a query. */
export const queryOf = (fields: Fields): Joi.ObjectSchema => Joi.object(fields);

export const PAGE = Joi.object({
  page: positive.default(1),
  offset: fromZero,
  limit: fromOne
    .default(100)
    .max(Joi.ref('$configuration.plugins.pagination.limit'))
    .description('At most 100.'),
});

/** A node's validator knows the limit as a setting, and its refusal names the setting. */
export const CONTEXT = { configuration: { plugins: { pagination: { limit: 100 } } } };

export const TRANSFORM = Joi.object({ transform: Joi.boolean().default(true) });

const orderRule = Joi.string().regex(/^[a-z._]{1,40}:(asc|desc)$/i);

/** Lists of tables want `column:direction`. */
export const ORDER_BY = Joi.object({
  orderBy: Joi.alternatives().try(orderRule, Joi.array().items(orderRule)),
});

export interface Sort {
  readonly property: string;
  readonly direction: 'asc' | 'desc';
}

/** The parts of `a:asc,b:desc`. A missing direction is `asc`; what follows the direction counts for nothing. */
export const sortsOf = (
  orderBy: string | readonly string[] | undefined,
): readonly (Sort & { given: string })[] =>
  [orderBy ?? []]
    .flat()
    .filter((_, __, all) => all.length !== 1 || all[0] !== '')
    .flatMap((text) => text.split(','))
    .map((text) => {
      const [property = '', given = 'asc'] = text.split(':');
      return { property, given, direction: given === 'desc' ? 'desc' : 'asc' };
    });

/** Refuses an order by anything else. `below`: fields whose own fields sort, whatever they are. */
export const sortedBy = (paths: readonly string[], ...below: readonly string[]): Joi.ObjectSchema =>
  Joi.object({
    orderBy: Joi.custom((value: string | readonly string[], { message }) => {
      for (const { property, given } of sortsOf(value)) {
        if (!paths.includes(property) && !below.some((field) => property.startsWith(`${field}.`)))
          return message({ custom: `Unknown orderBy property '${property}'` });
        if (given !== 'asc' && given !== 'desc')
          return message({ custom: `Unexpected orderBy direction '${given}' for property '${property}'` });
      }
      return value;
    }).description(`By ${[...paths, ...below.map((field) => `${field}.…`)].join(', ')}.`),
  });
