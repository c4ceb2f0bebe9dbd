import { blocks, bytesOf } from '@roundhouse/entities/tables';
import type { DataSource } from 'typeorm';

const OTHERS = blocks.columns
  .map(({ name }) => name)
  .filter((name) => name !== 'height' && name !== 'id')
  .join(', ');

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
      `INSERT INTO blocks (height, id, ${OTHERS}) SELECT $1::integer, $2::bytea, ${OTHERS} FROM blocks WHERE height = 100`,
      [height, bytesOf('block id', id)],
    );
    await manager.query(
      `UPDATE head SET height = $1, block_id = $2, supply = supply + 2, revision = revision + 1, indexed_at = ${indexedAt}`,
      [height, bytesOf('block id', id)],
    );
    if (isNotified) await manager.query("SELECT pg_notify('head', $1)", [`${height}:${id}`]);
  });
};
