import type { DataSource } from 'typeorm';

/** Like the indexer: block and head in one transaction, with or without the notification. */
export const moveHead = async (
  database: DataSource,
  height: number,
  id: string,
  isNotified: boolean,
  indexedAt = 'now()',
): Promise<void> => {
  await database.transaction(async (manager) => {
    await manager.query('DELETE FROM blocks WHERE height >= $1', [height]);
    await manager.query(
      `INSERT INTO blocks SELECT $1, $2, version, "timestamp", previous_block, number_of_transactions, total_amount,
         total_fee, reward, payload_length, payload_hash, generator_public_key, block_signature
       FROM blocks WHERE height = 100`,
      [height, id],
    );
    await manager.query(
      `UPDATE head SET height = $1, block_id = $2, supply = supply + 2, revision = revision + 1, indexed_at = ${indexedAt}`,
      [height, id],
    );
    if (isNotified) await manager.query("SELECT pg_notify('head', $1)", [`${height}:${id}`]);
  });
};
