import type { MigrationInterface, QueryRunner } from 'typeorm';

const PAYMENTS = `
CREATE TABLE payments (
  recipient integer NOT NULL,
  block_height integer NOT NULL,
  sequence integer NOT NULL,
  CONSTRAINT pk_payments PRIMARY KEY (recipient, block_height, sequence)
);
COMMENT ON TABLE payments IS 'The multi-payments that pay an address, once each. The payments themselves are in the asset of the transaction.';
COMMENT ON COLUMN payments.recipient IS 'Number in addresses.';
COMMENT ON TABLE addresses IS 'Recipients of the stored transactions and of the payments in them, numbered as in public_keys; a transaction before its payments.';
`;

/** SQL of all payments: block_height, sequence, position from 1, value (the recipient's address). */
const LISTED = `
SELECT t.block_height, t.sequence, listed.position::integer AS position, listed.payment ->> 0 AS value
FROM transactions t
  CROSS JOIN LATERAL json_array_elements(t.asset -> 'payments') WITH ORDINALITY AS listed (payment, position)
WHERE t.type_group = 1 AND t.type = 6`;

// 7466502 is the lock of a running writer, which keeps numbers in memory.
const ASSERT_NO_WRITER = `
DO $$ BEGIN
  IF NOT pg_try_advisory_xact_lock(7466502) THEN
    RAISE 'The stored multi-payments need new numbers, and an indexer is running: stop all indexers, then migrate again.';
  END IF;
END $$`;

/** The recipients of payments take their places among the numbers, so all later numbers change. */
const RENUMBER = [
  `CREATE TEMPORARY TABLE numbered ON COMMIT DROP AS
   SELECT row_number() OVER (ORDER BY min(place))::integer AS number, (min(place))[1] AS height, value
   FROM (
     SELECT ARRAY[block_height, sequence, 0] AS place, value FROM transactions JOIN addresses ON number = recipient
     UNION ALL SELECT ARRAY[block_height, sequence, position], value FROM (${LISTED}) listed
   ) mentions
   GROUP BY value`,
  `ANALYZE numbered`,
  `UPDATE transactions t SET recipient = numbered.number FROM addresses a JOIN numbered USING (value)
   WHERE a.number = t.recipient AND a.number <> numbered.number`,
  `DELETE FROM addresses`,
  `INSERT INTO addresses (number, height, value) SELECT number, height, value FROM numbered`,
  `INSERT INTO payments (recipient, block_height, sequence)
   SELECT DISTINCT number, block_height, sequence FROM (${LISTED}) listed JOIN numbered USING (value)`,
];

/** Addresses find the multi-payments that pay them. */
export class AddPayments1764400000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(PAYMENTS);
    const [stored] = (await queryRunner.query(`SELECT EXISTS (${LISTED}) AS some`)) as [{ some: boolean }];
    if (!stored.some) return;
    await queryRunner.query(ASSERT_NO_WRITER);
    for (const statement of RENUMBER) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE payments');
  }
}
