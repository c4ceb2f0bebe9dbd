import { IntegerField, TextField } from './fields.js';

export class BlockDto {
  @TextField('Identifier of the block: decimal text, or 64 hexadecimal characters.')
  id: string;

  @IntegerField('Version of the block.')
  version: number;

  @IntegerField("Seconds since the chain's epoch.")
  timestamp: number;

  @TextField('Identifier of the previous block; "0" for the genesis block.')
  previousBlock: string;

  @IntegerField('Height of the block.')
  height: number;

  @IntegerField('Number of transactions in the block.')
  numberOfTransactions: number;

  @IntegerField('Sum of the amounts of its transactions, in arktoshi.')
  totalAmount: bigint;

  @IntegerField('Sum of the fees of its transactions, in arktoshi.')
  totalFee: bigint;

  @IntegerField('Reward of the block, in arktoshi.')
  reward: bigint;

  @IntegerField('Length of the payload in bytes.')
  payloadLength: number;

  @TextField('Hash of the payload in hexadecimal.')
  payloadHash: string;

  @TextField('Public key of the delegate that forged the block.')
  generatorPublicKey: string;

  @TextField('Signature of the block in hexadecimal.')
  blockSignature: string;

  @IntegerField('Blocks on top of this one; 0 for the newest.')
  confirmations: number;
}
