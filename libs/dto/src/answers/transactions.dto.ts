import {
  IntegerField,
  JsonField,
  ListField,
  ObjectField,
  SuccessField,
  TextField,
  TextListField,
} from './fields.js';
import type { ReadyJson } from './write-answer.js';

/** Every field that the chain signs, and the place in the chain. */
export class TransactionDto {
  @TextField('Identifier of the transaction: 64 hexadecimal characters.')
  id: string;

  @TextField('Identifier of its block.')
  blockId: string;

  @IntegerField('Height of its block.')
  height: number;

  @IntegerField('Place in the block, from 0.')
  sequence: number;

  @IntegerField("Time of its block: seconds since the chain's epoch.")
  blockTimestamp: number;

  @IntegerField('Blocks on top of its block; 0 in the newest.')
  confirmations: number;

  @IntegerField('Version of the transaction.')
  version: number;

  @IntegerField("First byte of the network's addresses; null if the transaction does not say.", {
    isNullable: true,
  })
  network: number | null;

  @IntegerField('Group of its type: 1 for the types of Core.')
  typeGroup: number;

  @IntegerField('Type within the group. Since Core 2.6, 0 is a transfer.')
  type: number;

  @IntegerField("As signed: seconds since the chain's epoch. Null if the transaction has a nonce.", {
    isNullable: true,
  })
  timestamp: number | null;

  @IntegerField('As signed. Null if the transaction has a timestamp.', { isNullable: true })
  nonce: bigint | null;

  @TextField('Public key of the sender.')
  senderPublicKey: string;

  @TextField('Address of the sender.')
  senderId: string;

  @TextField(
    'Address of the recipient. Null for types without one; those of a multi-payment are in `asset`.',
    {
      isNullable: true,
    },
  )
  recipientId: string | null;

  @IntegerField('Amount in arktoshi.')
  amount: bigint;

  @IntegerField('Fee in arktoshi.')
  fee: bigint;

  @IntegerField('Height at which a transfer expires; null if it does not.', { isNullable: true })
  expiration: bigint | null;

  @TextField('The vendor field as text; null if there is none, or if its bytes are not UTF-8.', {
    isNullable: true,
  })
  vendorField: string | null;

  @TextField('The signed bytes of the vendor field in hexadecimal; null if there is none.', {
    isNullable: true,
  })
  vendorFieldHex: string | null;

  @JsonField(
    "What the type needs besides, such as votes or payments, in the form of Core's JSON; amounts are numeric text. Null if nothing.",
    {
      isNullable: true,
    },
  )
  asset: ReadyJson | null;

  @TextField('Signature of the sender. Null if only members of a multi-signature account signed.', {
    isNullable: true,
  })
  signature: string | null;

  @TextField('Second signature of the sender.', { isNullable: true })
  secondSignature: string | null;

  @TextListField('Signatures of the members of a multi-signature account.', { isNullable: true })
  signatures: readonly string[] | null;
}

export class TransactionsResponseDto {
  @ListField('The transactions, newest first.', () => TransactionDto)
  transactions: readonly TransactionDto[];

  @TextField(
    'Send it as `cursor` to get the next page. Null if nothing is left; until then a page may hold fewer than `limit`, or none.',
    { isNullable: true },
  )
  nextCursor: string | null;

  @SuccessField()
  success: true;
}

export class TransactionResponseDto {
  @ObjectField('The transaction.', () => TransactionDto)
  transaction: TransactionDto;

  @SuccessField()
  success: true;
}
