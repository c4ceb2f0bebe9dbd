import { addressOf } from '@roundhouse/chain';
import { exactJson } from './json-text.js';
import type { ArchiveBlock, NodeBlock } from './recorded-node-chain.js';

const TESTNET_EPOCH = Date.parse('2017-03-21T13:00:00.000Z');
const TESTNET_PUB_KEY_HASH = 23;

interface Registration {
  readonly senderPublicKey: string;
  readonly asset?: { readonly delegate?: { readonly username: string } };
}

const amount = (value: unknown): bigint => BigInt(value as string);

const timestampOf = (epoch: number) => {
  const ms = TESTNET_EPOCH + epoch * 1000;
  return { epoch, unix: ms / 1000, human: new Date(ms).toISOString() };
};

const optional = (key: string, value: unknown): Record<string, unknown> =>
  value === undefined ? {} : { [key]: value };

/** Writes archived blocks as the public API of line 2.x shows them: for branches whose answers were not recorded. */
export class LineTwoShape {
  private readonly usernames: Map<string, string>;

  /** @param chain the chain below the branch, where delegates are registered */
  constructor(chain: readonly NodeBlock[]) {
    this.usernames = new Map(
      chain
        .flatMap(({ transactions }) => transactions)
        .map(({ plain }) => JSON.parse(plain) as Registration)
        .flatMap(({ senderPublicKey, asset }) =>
          asset?.delegate === undefined ? [] : [[senderPublicKey, asset.delegate.username]],
        ),
    );
  }

  block(block: ArchiveBlock): string {
    const publicKey = block.generatorPublicKey;
    const reward = amount(block['reward']);
    const fee = amount(block['totalFee']);
    return exactJson({
      id: block.id,
      version: block['version'],
      height: block.height,
      previous: block['previousBlock'] ?? '0',
      forged: { reward, fee, total: reward + fee, amount: amount(block['totalAmount']) },
      payload: { hash: block['payloadHash'], length: block['payloadLength'] },
      generator: {
        ...optional('username', this.usernames.get(publicKey)),
        address: addressOf(publicKey, TESTNET_PUB_KEY_HASH),
        publicKey,
      },
      signature: block['blockSignature'],
      confirmations: 0,
      transactions: block['numberOfTransactions'],
      timestamp: timestampOf(block.timestamp),
    });
  }

  transaction(transaction: Readonly<Record<string, unknown>>, blockId: string): string {
    const senderPublicKey = transaction['senderPublicKey'] as string;
    return exactJson({
      id: transaction['id'],
      blockId,
      version: transaction['version'],
      type: transaction['type'],
      amount: amount(transaction['amount']),
      fee: amount(transaction['fee']),
      sender: addressOf(senderPublicKey, TESTNET_PUB_KEY_HASH),
      senderPublicKey,
      ...optional('recipient', transaction['recipientId']),
      signature: transaction['signature'],
      ...optional('signSignature', transaction['secondSignature']),
      ...optional('vendorField', transaction['vendorField']),
      ...optional('asset', transaction['asset']),
      confirmations: 0,
      timestamp: timestampOf(transaction['timestamp'] as number),
    });
  }
}
