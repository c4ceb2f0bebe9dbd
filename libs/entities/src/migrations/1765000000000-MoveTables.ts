import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildMissingIndex, LIST_INDEXES, missingIndexes } from './1764800000000-BuildIndexesLast.js';
import { ADDED_INDEXES } from './1764910000000-IndexDetails.js';

const TABLES = [
  'network',
  'head',
  'public_keys',
  'addresses',
  'blocks',
  'transactions',
  'payments',
  'daily_fees',
  'accounts',
  'delegates',
  'locks',
  'claim_drifts',
  'rounds',
  'round_candidates',
  'round_revisions',
  'misplaced_blocks',
  'rankings',
  'round_digests',
  'state_sums',
  'undo_accounts',
  'undo_delegates',
  'undo_locks',
  'history_balances',
  'history_votes',
  'history_delegates',
  'history_weights',
  'history_rankings',
  'source_status',
  'staged_ranges',
  'refused_blocks',
  'events',
  'migrations',
];

const FUNCTIONS = ['missing_indexes', 'build_missing_index'];

/** Whoever has a right on the tables, or will have one on those of later migrations, keeps it. */
const moveRights = (from: string, to: string): string => `
DO $$
DECLARE
  known record;
BEGIN
  FOR known IN SELECT DISTINCT rolname FROM pg_roles
    JOIN (SELECT (aclexplode(relacl)).grantee FROM pg_class WHERE oid = '${to}.migrations'::regclass) acl ON grantee = pg_roles.oid
  LOOP
    EXECUTE format('GRANT USAGE ON SCHEMA ${to} TO %I', known.rolname);
  END LOOP;
  FOR known IN SELECT rolname, privilege_type, CASE defaclobjtype WHEN 'r' THEN 'TABLES' ELSE 'SEQUENCES' END AS kind
    FROM pg_default_acl, aclexplode(defaclacl) JOIN pg_roles ON grantee = pg_roles.oid
    WHERE defaclnamespace = '${from}'::regnamespace AND defaclrole = current_user::regrole AND defaclobjtype IN ('r', 'S')
  LOOP
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA ${to} GRANT %s ON %s TO %I', known.privilege_type, known.kind, known.rolname);
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA ${from} REVOKE %s ON %s FROM %I', known.privilege_type, known.kind, known.rolname);
  END LOOP;
END
$$`;

const moveTables = (from: string, to: string): string =>
  [
    ...TABLES.map((table) => `ALTER TABLE ${from}.${table} SET SCHEMA ${to}`),
    ...FUNCTIONS.map((name) => `ALTER FUNCTION ${from}.${name}() SET SCHEMA ${to}`),
    missingIndexes([...LIST_INDEXES, ...ADDED_INDEXES], to),
    buildMissingIndex(to),
  ].join(';\n');

/**
 * Apis of the version before look for their tables in `public` until they are replaced. An indexer of that version is
 * refused with a sentence.
 */
const STAND_INS = `
CREATE FUNCTION public.refuse_old_indexer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A newer version has moved the tables: start the indexer of that version.';
END
$$;
CREATE FUNCTION public.missing_indexes() RETURNS TABLE (name text, statement text) LANGUAGE sql STABLE
AS 'SELECT name, statement FROM roundhouse.missing_indexes()';
DO $$
DECLARE
  stand_in name;
  known record;
BEGIN
  FOREACH stand_in IN ARRAY '{${TABLES.join(',')}}'::name[] LOOP
    EXECUTE format('CREATE VIEW public.%I AS SELECT * FROM roundhouse.%I', stand_in, stand_in);
    EXECUTE format('CREATE TRIGGER refuse INSTEAD OF INSERT OR UPDATE OR DELETE ON public.%I FOR EACH ROW EXECUTE FUNCTION public.refuse_old_indexer()', stand_in);
    FOR known IN SELECT rolname, privilege_type FROM pg_roles
      JOIN (SELECT (aclexplode(relacl)).* FROM pg_class WHERE oid = format('roundhouse.%I', stand_in)::regclass) acl ON grantee = pg_roles.oid
      WHERE privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE') AND grantee <> current_user::regrole
    LOOP
      EXECUTE format('GRANT %s ON public.%I TO %I', known.privilege_type, stand_in, known.rolname);
    END LOOP;
  END LOOP;
END
$$`;

/** Nothing else in `public` has these names: programs of others need some of them. */
export const dropStandIns = `
DO $$
BEGIN
  IF to_regproc('public.refuse_old_indexer') IS NOT NULL THEN
    DROP VIEW ${TABLES.map((table) => `public.${table}`).join(', ')};
    DROP FUNCTION public.missing_indexes(), public.refuse_old_indexer();
  END IF;
END
$$`;

/** The tables get a schema of their own, because programs of others look for a node's tables in `public`. */
export class MoveTables1765000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE SCHEMA IF NOT EXISTS roundhouse');
    await queryRunner.query(moveTables('public', 'roundhouse'));
    await queryRunner.query(moveRights('public', 'roundhouse'));
    // For what this session does next. After the way back, that finds `public` alone.
    await queryRunner.query('SET search_path = roundhouse, public');
    const [{ isUsed }] = (await queryRunner.query('SELECT EXISTS (SELECT FROM network) AS "isUsed"')) as [
      { isUsed: boolean },
    ];
    if (isUsed) await queryRunner.query(STAND_INS);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(dropStandIns);
    await queryRunner.query(moveTables('roundhouse', 'public'));
    await queryRunner.query(moveRights('roundhouse', 'public'));
    await queryRunner.query('DROP SCHEMA roundhouse');
    await queryRunner.query('SET search_path = roundhouse, public');
  }
}
