import { CoreApiStandIn, readRecording, repeatedAnswers, type Recording } from '@roundhouse/testing';
import { IndexUnderTest } from './index-under-test.js';
import type { Ended } from './indexer-process.js';
import { RECORDED_HEAD } from './recording.js';

interface RecordedAnswer extends Readonly<Record<string, unknown>> {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: string;
}

/**
 * A 3.9 node has wrong weights until its restart (docs/differences.md), so the answers of the later file replace those
 * of the earlier one.
 */
const ANSWERS: Readonly<Record<Recording, readonly string[]>> = {
  'core-2.4': ['core-api-v2.ndjson.gz'],
  'core-3.9': ['core-api-v3.ndjson.gz', 'core-api-v3-after-restart.ndjson.gz'],
};

describe.each(['core-2.4', 'core-3.9'] as const)('indexer verify --against a real node of %s', (line) => {
  let index: IndexUnderTest;
  let node: CoreApiStandIn;
  let url: string;

  const verify = (): Promise<Ended> => index.command('verify', '--against', url);

  beforeAll(async () => {
    node = await CoreApiStandIn.start(line);
    const answers = ANSWERS[line].flatMap((file) => readRecording<RecordedAnswer>(line, file));
    node.intercept = repeatedAnswers(answers, 404);
    url = node.url;
    index = await IndexUnderTest.ofRecording(line);
  });

  afterAll(async () => {
    await index.close();
    await node.close();
  });

  it('finds the same delegates, weights, forged totals and voters', async () => {
    expect(await verify()).toEqual({
      code: 0,
      signal: null,
      stdout: `Compared 61 delegates and their voters with ${url} from block ${RECORDED_HEAD} on: nothing differs.\n`,
      stderr: '',
    });
  });

  it('reports each value that differs, and voters and delegates that only one of the two has', async () => {
    const { pool } = index;
    const { rows } = await pool.query<{ key: string; username: string; weight: string; address: string }>(
      `SELECT encode(d.public_key, 'hex') AS key, username, weight, a.address FROM delegates AS d JOIN accounts AS a ON a.vote = d.public_key
       ORDER BY weight DESC, a.address LIMIT 1`,
    );
    const { key, username, weight, address } = rows[0]!;
    await pool.query('UPDATE delegates SET weight = weight + 1 WHERE public_key = $1', [
      Buffer.from(key, 'hex'),
    ]);
    await pool.query('UPDATE accounts SET vote = NULL WHERE address = $1', [address]);
    const gone = await pool.query<{ username: string; public_key: string }>(
      `DELETE FROM delegates WHERE weight = (SELECT min(weight) FROM delegates)
       RETURNING username, encode(public_key, 'hex') AS public_key`,
    );
    const { code, stdout } = await verify();
    expect(stdout).toContain(
      `delegate ${username} (${key}): weight is ${BigInt(weight) + 1n}, the node has ${weight}\n`,
    );
    expect(stdout).toContain(
      `voter ${address} of ${key}: the index has no such voter, the node has balance `,
    );
    for (const delegate of gone.rows) {
      expect(stdout).toContain(`(${delegate.public_key}): the index has no such delegate\n`);
    }
    expect(stdout).toMatch(new RegExp(`: ${2 + gone.rowCount!} values differ\\.\n$`));
    expect(code).toBe(1);
  });

  // It tries for half a minute, so one line is enough.
  if (line === 'core-3.9')
    it('ends with 2 if index and node are not at the same block', async () => {
      await index.pool.query(`UPDATE head SET block_id = '\\x0000000000000007', height = 321`);
      const { code, stderr } = await verify();
      expect(stderr).toMatch(
        /is at block 322 \(\d+\), the index at 321 \(7\): they can only be compared at the same block/,
      );
      expect(code).toBe(2);
    });
});
