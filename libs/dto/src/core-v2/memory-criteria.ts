import Joi from 'joi';
import { base58, fromOne, fromZero, hex64, hex66 } from './criteria.js';

// What Core 3.9's lists in memory can be asked for, as data. Source: packages/core-api/src/resources-new of Core 3.9.1.

/** Fields of an object in memory, some of which are objects. */
export interface Shape {
  readonly [field: string]: Joi.Schema | Shape;
}

const isRule = (value: Joi.Schema | Shape): value is Joi.Schema => Joi.isSchema(value);

// Amounts are any text that JavaScript's BigInt reads, and `%` stands for any text.

const amount = Joi.custom((value: string) => BigInt(value)).description('An integer of any size.');
const amountFromZero = amount.custom((value: bigint, { error }) =>
  value >= 0n ? value : error('any.invalid'),
);

const valueOrRange = (rule: Joi.Schema): Joi.Schema =>
  Joi.alternatives(rule, Joi.object({ from: rule, to: rule }).or('from', 'to'));

const orPattern = (rule: Joi.Schema, ...patterns: readonly RegExp[]): Joi.Schema =>
  Joi.alternatives(rule, ...patterns.map((pattern) => Joi.string().regex(pattern).regex(/%/)));

const address = orPattern(base58, /^[0-9A-Za-z%]{1,34}$/);
const publicKey = orPattern(hex66, /^[0-9a-z%]{1,66}$/);
const hexOrPattern = orPattern(hex64, /^[0-9a-z%]{1,64}$/);
const blockHeight = valueOrRange(fromOne);
const timestamp = {
  epoch: valueOrRange(fromZero),
  unix: valueOrRange(fromZero),
  human: Joi.string(),
} satisfies Shape;
const shownBlockId = orPattern(
  Joi.alternatives(
    Joi.string()
      .min(13)
      .max(20)
      .regex(/^[0-9]+$/),
    hex64,
  ),
  /^[0-9a-z%]{1,64}$/,
  /^[0-9%]{1,20}$/,
);

export const WALLET = {
  address,
  publicKey,
  balance: valueOrRange(amount),
  nonce: valueOrRange(amountFromZero),
  attributes: Joi.object(),
} satisfies Shape;

export const DELEGATE = {
  username: Joi.string().max(256),
  address,
  publicKey,
  votes: valueOrRange(amountFromZero),
  rank: valueOrRange(fromOne),
  isResigned: Joi.boolean(),
  blocks: { produced: valueOrRange(fromZero), last: { id: shownBlockId, height: blockHeight, timestamp } },
  production: { approval: valueOrRange(Joi.number().min(0)) },
  forged: {
    fees: valueOrRange(amountFromZero),
    rewards: valueOrRange(amountFromZero),
    total: valueOrRange(amountFromZero),
  },
} satisfies Shape;

export const LOCK = {
  lockId: hexOrPattern,
  senderPublicKey: publicKey,
  isExpired: Joi.boolean(),
  amount: valueOrRange(amount),
  secretHash: hexOrPattern,
  recipientId: address,
  timestamp,
  expirationType: Joi.number().allow(1, 2),
  expirationValue: Joi.alternatives(blockHeight, valueOrRange(fromZero)),
  vendorField: Joi.string().max(256),
} satisfies Shape;

export const ENTITY = {
  id: hexOrPattern,
  publicKey,
  address,
  isResigned: Joi.boolean(),
  type: Joi.number().min(0).max(255),
  subType: Joi.number().min(0).max(255),
  data: { name: Joi.string(), ipfsData: Joi.string() },
} satisfies Shape;

/** The criteria of a list in memory. A single value becomes a list of one. */
export const criteriaOf = (shape: Shape): Joi.ObjectSchema =>
  Joi.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, value]) => [
        name,
        Joi.array()
          .single()
          .items(isRule(value) ? value : criteriaOf(value)),
      ]),
    ),
  );

/** The paths of its values, with dots. */
export const pathsOf = (shape: Shape): readonly string[] =>
  Object.entries(shape).flatMap(([name, value]) =>
    isRule(value) ? [name] : pathsOf(value).map((path) => `${name}.${path}`),
  );
