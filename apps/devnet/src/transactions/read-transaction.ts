import type { Transaction } from '@roundhouse/chain';
import { decodeTransaction } from '@roundhouse/blocks';
import { z } from 'zod';
import { RejectedTransactionError } from '../forging/rejected-transaction.error.js';

const hex = (bytes: number): z.ZodString =>
  z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`), 'is not hex of the right length');
const publicKey = z.string().regex(/^0[23][0-9a-f]{64}$/, 'is not a public key');
const signature = z.string().regex(/^([0-9a-f]{128}|30[0-9a-f]{134,142})$/, 'is not a signature');
const address = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{26,35}$/, 'is not an address');
const amount = z
  .union([z.string(), z.number().int()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,19}$/, 'is not a whole amount'));
const uint32 = z.number().int().min(0).max(0xff_ff_ff_ff);
const byte = z.number().int().min(0).max(255);

const asset = z.strictObject({
  signature: z.strictObject({ publicKey }).optional(),
  delegate: z.strictObject({ username: z.string() }).optional(),
  votes: z.array(z.string().regex(/^[+-]0[23][0-9a-f]{64}$/)).optional(),
  multiSignature: z
    .strictObject({ publicKeys: z.array(publicKey).min(2).max(16), min: byte.min(1) })
    .optional(),
  ipfs: z.string().max(90).optional(),
  payments: z.array(z.strictObject({ amount, recipientId: address })).optional(),
  lock: z
    .strictObject({
      secretHash: hex(32),
      expiration: z.strictObject({ type: z.union([z.literal(1), z.literal(2)]), value: uint32 }),
    })
    .optional(),
  claim: z.strictObject({ lockTransactionId: hex(32), unlockSecret: hex(32) }).optional(),
  refund: z.strictObject({ lockTransactionId: hex(32) }).optional(),
  type: byte.optional(),
  subType: byte.optional(),
  action: byte.optional(),
  registrationId: hex(32).optional(),
  data: z
    .strictObject({ name: z.string().max(40).optional(), ipfsData: z.string().max(90).optional() })
    .optional(),
});

const schema = z.strictObject({
  id: hex(32),
  version: byte,
  network: byte,
  typeGroup: uint32.default(1),
  type: z.number().int().min(0).max(0xff_ff),
  nonce: amount,
  senderPublicKey: publicKey,
  fee: amount,
  amount,
  vendorField: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= 64, 'is longer than 64 bytes')
    .optional(),
  expiration: uint32.optional(),
  recipientId: address.optional(),
  asset: asset.optional(),
  signature: signature.optional(),
  secondSignature: signature.optional(),
  signatures: z.array(hex(65)).max(16).optional(),
});

/** Checks the form of a client's transaction. Throws a `RejectedTransactionError` that names all mistakes. */
export const readTransaction = (candidate: unknown): Transaction => {
  const result = schema.safeParse(candidate);
  if (!result.success) {
    const problems = result.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'transaction'}: ${message}`,
    );
    throw new RejectedTransactionError('ERR_BAD_DATA', problems.join('; '));
  }
  return decodeTransaction(result.data);
};
