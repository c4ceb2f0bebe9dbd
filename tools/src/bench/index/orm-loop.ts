import {
  AddressEntity,
  BlockEntity,
  entities,
  migrate,
  PublicKeyEntity,
  TransactionEntity,
} from '@roundhouse/entities';
import { DataSource, type DeepPartial } from 'typeorm';
import { Numbering, rawBlocks, type RawBlock } from './row-files.js';

const blockOf = (
  { transactions: _, previousBlock: __, generatorPublicKey, ...block }: RawBlock,
  keys: Numbering,
): DeepPartial<InstanceType<typeof BlockEntity>> => ({
  ...block,
  generator: keys.numberOf(generatorPublicKey, block.height),
  totalAmount: BigInt(block.totalAmount),
  totalFee: BigInt(block.totalFee),
  reward: BigInt(block.reward),
});

const transactionsOf = (
  { height, transactions }: RawBlock,
  keys: Numbering,
  recipients: Numbering,
): DeepPartial<InstanceType<typeof TransactionEntity>>[] =>
  transactions.map(
    (
      { nonce, senderPublicKey, recipientId, amount, fee, expiration: _, vendorField: __, ...rest },
      sequence,
    ) => ({
      ...{ ...rest, blockHeight: height, sequence, sender: keys.numberOf(senderPublicKey, height) },
      recipient: recipientId === undefined ? null : recipients.numberOf(recipientId, height),
      ...{ nonce: nonce === undefined ? null : BigInt(nonce), amount: BigInt(amount), fee: BigInt(fee) },
    }),
  );

/**
 * The straightforward way: saves each block with the ORM in its own transaction. Only blocks and transactions, from
 * height 2 on, because the genesis block is special. Returns rows per second.
 */
export const ormLoop = async (databaseUrl: string, archive: string, blocks: number): Promise<number> => {
  await migrate(databaseUrl);
  const dataSource = await new DataSource({ type: 'postgres', url: databaseUrl, entities }).initialize();
  try {
    const sample: RawBlock[] = [];
    for await (const block of rawBlocks(archive)) {
      if (block.height > 1) sample.push(block);
      if (sample.length === blocks) break;
    }
    const [keys, recipients] = [new Numbering(), new Numbering()];
    let rows = 0;
    const started = performance.now();
    for (const block of sample) {
      await dataSource.transaction(async (manager) => {
        await manager.save(BlockEntity, blockOf(block, keys));
        await manager.save(TransactionEntity, transactionsOf(block, keys, recipients));
        await manager.save(PublicKeyEntity, keys.takeAdded());
        await manager.save(AddressEntity, recipients.takeAdded());
      });
      rows += 1 + block.transactions.length;
    }
    return (rows * 1_000) / (performance.now() - started);
  } finally {
    await dataSource.destroy();
  }
};
