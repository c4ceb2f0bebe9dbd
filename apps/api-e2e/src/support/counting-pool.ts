import type { ReaderPool } from '@roundhouse/readers';
import pg from 'pg';

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  /** That of a scan. */
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** The rows of tables and indexes that all scans of a plan have read. */
const rowsOf = (plan: Plan): number => {
  const {
    'Actual Rows': shown,
    'Rows Removed by Filter': removed = 0,
    'Actual Loops': loops,
    Plans = [],
  } = plan;
  const own = plan['Relation Name'] === undefined ? 0 : (shown + removed) * loops;
  return Plans.reduce((sum, each) => sum + rowsOf(each), own);
};

type Value = string | number | bigint | boolean | Buffer | readonly (number | string | Buffer)[] | null;

const element = (value: number | string | Buffer): string =>
  Buffer.isBuffer(value) ? `"\\\\x${value.toString('hex')}"` : String(value);

const literal = (value: Value): string => {
  if (value === null) return 'NULL';
  if (Buffer.isBuffer(value)) return pg.escapeLiteral(`\\x${value.toString('hex')}`);
  return pg.escapeLiteral(typeof value === 'object' ? `{${value.map(element).join(',')}}` : String(value));
};

/** Runs each statement with a plan for its values, as a session's first five, and with the plan that the session keeps then. */
export class CountingPool implements ReaderPool {
  /** That one statement has read. */
  mostPages = 0;
  /** That one statement has read. A page that is read for each of its rows counts as many pages as it has rows. */
  mostRows = 0;
  /** Of all statements. */
  readonly texts = new Set<string>();

  constructor(private readonly client: pg.Client) {}

  query: ReaderPool['query'] = async (statement) => {
    const { text, values = [] } = statement;
    this.texts.add(text);
    const given = values.length === 0 ? '' : `(${(values as Value[]).map(literal).join(', ')})`;
    if (!text.startsWith('EXPLAIN'))
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await this.client.query(`SET plan_cache_mode = ${mode}; PREPARE asked AS ${text}`);
        const { rows } = await this.client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE asked${given}`,
        );
        const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
        this.mostPages = Math.max(this.mostPages, plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
        this.mostRows = Math.max(this.mostRows, rowsOf(plan));
        await this.client.query('DEALLOCATE asked');
      }
    return this.client.query(statement as pg.QueryConfig);
  };
}
