import { createHash } from 'node:crypto';
import { hexText } from '../sql/table-sql.js';
import { MAKE_WALLETS, MORE_FOLLOWS } from '../sql/waiting-wallets.js';
import { attributesOf, JOIN_RANKED, RANKED } from '../sql/wallet-attributes.js';

/** SQL of the rows of Core 3.9.1's `wallets`. Their attributes are stored: no index could find what a view makes of five tables. */
export const NODE_WALLETS = `
SELECT a.address::varchar(36) AS address, ${hexText('a.public_key')}::varchar(66) AS public_key, a.balance, a.nonce::bigint AS nonce,
  w.attributes FROM accounts a JOIN sql_wallets w ON w.address = a.address`;

/** Columns of an account that make attributes. */
const MADE_OF = ['vote', 'second_public_key', 'multi_signature', 'attributes', 'locked'];
const rowOf = (row: string): string => `ROW(${MADE_OF.map((name) => `${row}.${name}`).join(', ')})`;

const ofSchema = `LANGUAGE plpgsql SECURITY DEFINER SET search_path = roundhouse, pg_temp`;

/**
 * `note_wallets` notes each wallet that a transaction changes. `make_wallets` makes the attributes of these wallets when the
 * transaction moves the head: that is its last step, so all other rows are there. Writing blocks, undoing them and `rebuild` need
 * no care. A first sync builds the index of generators last; until then, noted wallets wait.
 */
const FUNCTIONS = `
CREATE OR REPLACE FUNCTION roundhouse.note_wallets() RETURNS trigger ${ofSchema} AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    TRUNCATE sql_wallets, sql_changes;
  ELSIF TG_LEVEL = 'STATEMENT' THEN
    INSERT INTO sql_changes SELECT address FROM made ON CONFLICT DO NOTHING;
  ELSIF TG_TABLE_NAME = 'locks' THEN
    INSERT INTO sql_changes VALUES (coalesce(NEW.sender_address, OLD.sender_address)) ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO sql_changes VALUES (coalesce(NEW.address, OLD.address)) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION roundhouse.make_wallets() RETURNS trigger ${ofSchema} AS $$
BEGIN
  IF current_setting('${MORE_FOLLOWS}', true) = 'on' OR NOT EXISTS (SELECT FROM sql_changes) OR NOT EXISTS (
    SELECT FROM pg_index WHERE indexrelid = to_regclass('roundhouse.ix_blocks__generator') AND indisvalid
  ) THEN
    RETURN NULL;
  END IF;
  DELETE FROM sql_wallets w USING sql_changes c
  WHERE w.address = c.address AND NOT EXISTS (SELECT FROM accounts a WHERE a.address = c.address);
  INSERT INTO sql_wallets AS w SELECT a.address, ${attributesOf('d.rank')}
  FROM sql_changes c JOIN accounts a ON a.address = c.address ${JOIN_RANKED}
  ON CONFLICT (address) DO UPDATE SET attributes = excluded.attributes WHERE w.attributes <> excluded.attributes;
  DELETE FROM sql_changes;
  UPDATE sql_wallets w SET attributes = jsonb_set(w.attributes, '{delegate,rank}', to_jsonb(d.rank))
  FROM ${RANKED} d WHERE w.address = d.address AND w.attributes #> '{delegate,rank}' <> to_jsonb(d.rank);
  RETURN NULL;
END $$;`;

const trigger = (name: string, when: string, function_ = 'note_wallets'): string =>
  `CREATE OR REPLACE TRIGGER ${name} AFTER ${when} EXECUTE FUNCTION roundhouse.${function_}();`;

const TRIGGERS = [
  trigger('sql_created', 'INSERT ON accounts REFERENCING NEW TABLE AS made FOR EACH STATEMENT'),
  trigger(
    'sql_changed',
    `UPDATE ON accounts FOR EACH ROW WHEN (${rowOf('OLD')} IS DISTINCT FROM ${rowOf('NEW')})`,
  ),
  trigger('sql_deleted', 'DELETE ON accounts FOR EACH ROW'),
  trigger('sql_emptied', 'TRUNCATE ON accounts FOR EACH STATEMENT'),
  ...['delegates', 'locks'].map((table) =>
    trigger('sql_changed', `INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW`),
  ),
  trigger('sql_moved', 'INSERT OR UPDATE ON head FOR EACH STATEMENT', 'make_wallets'),
];

/** Another one than that of the function there: another version made the attributes. */
const MAKER = createHash('sha256').update(FUNCTIONS).digest('hex');

/** Creates the tables and fills them, unless this version has. Its lock keeps blocks from being written meanwhile. */
export const STORE_WALLETS = `
LOCK TABLE accounts, delegates, locks, head IN SHARE ROW EXCLUSIVE MODE;
CREATE TABLE IF NOT EXISTS roundhouse.sql_wallets (address text COLLATE "C" PRIMARY KEY, attributes jsonb NOT NULL);
CREATE TABLE IF NOT EXISTS roundhouse.sql_changes (address text COLLATE "C" PRIMARY KEY);
${FUNCTIONS}
${TRIGGERS.join('\n')}
INSERT INTO sql_changes SELECT address FROM (SELECT address FROM accounts UNION SELECT address FROM sql_wallets) known
WHERE obj_description('roundhouse.make_wallets()'::regprocedure, 'pg_proc') IS DISTINCT FROM '${MAKER}' ON CONFLICT DO NOTHING;
COMMENT ON FUNCTION roundhouse.make_wallets IS '${MAKER}';
${MAKE_WALLETS};`;

/** Without the view. The functions take their triggers with them. */
export const DROP_WALLETS = `
    LOCK TABLE accounts, delegates, locks, head IN ACCESS EXCLUSIVE MODE;
    DROP FUNCTION IF EXISTS roundhouse.note_wallets, roundhouse.make_wallets CASCADE;
    DROP TABLE IF EXISTS roundhouse.sql_wallets, roundhouse.sql_changes;`;
