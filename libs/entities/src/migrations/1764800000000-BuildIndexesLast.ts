import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Only lists of the api read them; all others keep rows unique, or serve the writer or the documented routes. */
export const LIST_INDEXES = [
  ['ix_accounts__balance', 'accounts (balance DESC, number)'],
  ['ix_blocks__generator', 'blocks (generator, (height >> 10))'],
  ['ix_transactions__sender', 'transactions (sender, block_height)'],
  ['ix_transactions__recipient', 'transactions (recipient, block_height) WHERE recipient IS NOT NULL'],
  [
    'ix_transactions__type',
    'transactions (type_group, type, block_height, sequence) WHERE type <> 0 OR type_group <> 1',
  ],
] as const;

export type ListIndexes = readonly (readonly [name: string, on: string])[];

const valueOf = (schema: string, [name, on]: ListIndexes[number], place: number): string =>
  `(${place}, '${name}', 'CREATE INDEX ${name} ON ${schema}.${on.replaceAll("'", "''")}')`;

/** The function that says which of these indexes are missing. */
export const missingIndexes = (indexes: ListIndexes, schema = 'public'): string => `
CREATE OR REPLACE FUNCTION ${schema}.missing_indexes() RETURNS TABLE (name text, statement text) LANGUAGE sql STABLE AS $$
SELECT listed.name, listed.statement FROM (VALUES
  ${indexes.map((index, place) => valueOf(schema, index, place)).join(',\n  ')}
) AS listed (place, name, statement)
WHERE NOT EXISTS (
  SELECT FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
  WHERE c.relname = listed.name AND c.relnamespace = '${schema}'::regnamespace AND i.indisvalid)
ORDER BY listed.place
$$;`;

// The catalog is the only state: it survives stops and crashes, and dumps keep it. 7466504 is an advisory lock, by which
// two processes do not build the same index. DROP INDEX keeps readers waiting until its transaction ends, so that is not
// the one which builds.
export const buildMissingIndex = (schema: string): string => `
CREATE OR REPLACE FUNCTION ${schema}.build_missing_index() RETURNS text LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  missing record;
BEGIN
  PERFORM pg_advisory_xact_lock(7466504);
  SELECT * INTO missing FROM ${schema}.missing_indexes() LIMIT 1;
  IF to_regclass('${schema}.' || missing.name) IS NOT NULL THEN
    EXECUTE 'DROP INDEX ${schema}.' || missing.name;
  ELSIF missing.name IS NOT NULL THEN
    EXECUTE missing.statement;
  END IF;
  RETURN missing.name;
END
$$;`;

const FUNCTIONS = `${missingIndexes(LIST_INDEXES)}
COMMENT ON FUNCTION public.missing_indexes() IS 'The indexes that only lists of the api read and that are not there, or not valid. An index lacks them until it has nearly reached its source for the first time.';
GRANT EXECUTE ON FUNCTION public.missing_indexes() TO PUBLIC;
${buildMissingIndex('public')}
COMMENT ON FUNCTION public.build_missing_index() IS 'Builds the first of missing_indexes(), or drops it if it is invalid. Returns its name, or null if none is missing.';
REVOKE EXECUTE ON FUNCTION public.build_missing_index() FROM PUBLIC;
`;

// "migrate" need not be told of the indexer's role again: new tables, too, are granted to it without that.
const GRANT_TO_WRITERS = `
DO $$
DECLARE
  writer name;
BEGIN
  FOR writer IN SELECT rolname FROM pg_roles
    JOIN (SELECT (aclexplode(relacl)).* FROM pg_class WHERE oid = 'public.blocks'::regclass) acl ON acl.grantee = pg_roles.oid
    WHERE privilege_type = 'TRUNCATE'
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION public.build_missing_index() TO %I', writer);
  END LOOP;
END
$$`;

/** A full index keeps its indexes; an empty one begins without those of lists. */
export class BuildIndexesLast1764800000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(FUNCTIONS);
    await queryRunner.query(GRANT_TO_WRITERS);
    const [{ isEmpty }] = (await queryRunner.query(
      'SELECT NOT EXISTS (SELECT FROM blocks) AS "isEmpty"',
    )) as [{ isEmpty: boolean }];
    if (!isEmpty) return;
    await queryRunner.query(`DROP INDEX ${LIST_INDEXES.map(([name]) => name).join(', ')}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DO $$ BEGIN WHILE build_missing_index() IS NOT NULL LOOP END LOOP; END $$');
    await queryRunner.query('DROP FUNCTION build_missing_index(), missing_indexes()');
  }
}
