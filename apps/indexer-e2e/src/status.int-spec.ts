import { appMain } from '@roundhouse/local-postgres';
import { createEmptyDatabase } from '@roundhouse/testing';
import { IndexUnderTest } from './index-under-test.js';
import { indexer, IndexerProcess } from './indexer-process.js';
import { IndexerOnTerminal } from './on-terminal.js';
import { RECORDED_HEAD, recording } from './recording.js';

describe('indexer status', () => {
  it('says what helps if the database is not migrated or cannot be reached', async () => {
    const empty = await createEmptyDatabase();
    const unmigrated = await indexer(['status'], { DATABASE_URL: empty.url });
    expect(unmigrated.stdout).toMatch(/^schema +lacks .*: run "indexer migrate"\n$/);
    expect(unmigrated.code).toBe(0);
    await empty.drop();
    const unreachable = await indexer(['status', '--json'], { DATABASE_URL: 'postgres://127.0.0.1:1/x' });
    expect(unreachable).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^DATABASE_URL cannot be/),
    });
  });

  it('shows head, source, lag, round, supply, what is staged, and that nobody writes', async () => {
    const index = await IndexUnderTest.create('postgres', recording('core-3.9'));
    expect((await indexer(['status'], index.environment)).stdout).toMatch(/nothing is indexed yet/);
    await indexer(['sync', '--to', '300'], index.environment);
    await index.pool.query(
      `INSERT INTO staged_ranges (from_height, to_height, size_bytes, blocks) VALUES (311, 320, 2000, '\\x00')`,
    );
    const page = await indexer(['status'], index.environment);
    expect(page.stdout).toMatch(/^head +300 \(\d+\)$/m);
    expect(page.stdout).toMatch(/^source +322, asked .* ago, file:.*chain\.ndjson\.gz$/m);
    expect(page.stdout).toMatch(/^lag +22 blocks$/m);
    expect(page.stdout).toMatch(/^round +6: 45 of 51 blocks forged$/m);
    expect(page.stdout).toMatch(/^supply +125,000,452\.00000000 TARK$/m);
    expect(page.stdout).toMatch(/^staged +10 blocks in 1 range, 2 KiB$/m);
    expect(page.stdout).toMatch(/^writer +none/m);
    const { stdout } = await indexer(['status', '--json'], index.environment);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: { kind: 'known' },
      head: { height: 300, indexedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      lag: 22,
      supply: '12500045200000000',
      round: { number: 6, firstHeight: 256, lastHeight: 306 },
      staged: { ranges: 1, blocks: 10, bytes: 2000 },
      queues: {
        kind: 'postgres',
        jobs: expect.arrayContaining([expect.objectContaining({ queue: 'fetch' })]),
      },
      writer: null,
    });
    // What a node has named itself cannot clear the terminal or forge a line.
    await index.pool.query(`UPDATE source_status SET source = $1`, ['node\u001b[2J\u009b1m\nlag       none']);
    const forged = (await indexer(['status'], index.environment)).stdout;
    expect(forged).toMatch(/^source .*, node\\u001b\[2J\\u009b1m\\u000alag {7}none$/m);
    expect(forged.match(/^lag .*$/gm)).toEqual(['lag       22 blocks']);
    await index.close();
  });

  it('watches: a line at each change, a page on a terminal, until it is stopped', async () => {
    const index = await IndexUnderTest.create('postgres', recording('core-3.9'));
    const watching = new IndexerProcess(['status', '--watch'], index.environment);
    await watching.says(/nothing indexed, lag unknown, 0 blocks staged, no writer\n/);
    await index.reach(RECORDED_HEAD, index.run());
    await watching.says(/height 322, lag 0, 0 blocks staged, a writer\n/);
    expect(await watching.kill('SIGINT')).toMatchObject({ code: 0, stderr: '' });
    const terminal = new IndexerOnTerminal(['status', '-w'], index.environment);
    await terminal.shows(/writer +an indexer/);
    terminal.pressCtrlC();
    expect(await terminal.ended()).toMatch(/exit code 0/);
    await index.close();
  });
});

describe('indexer completion', () => {
  it('completes commands and options in bash', async () => {
    const { execFile } = await import('node:child_process');
    const { promisify } = await import('node:util');
    const complete = (...words: string[]) => `
      COMP_WORDS=(indexer ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
      _indexer_yargs_completions; echo "\${COMPREPLY[@]}"`;
    const program = [process.execPath, appMain('indexer')].map((word) => `'${word}'`).join(' ');
    const script = `
      indexer() { ${program} "$@"; }
      source <(indexer completion)${complete('roll')}${complete('export', '--o')}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      env: { PATH: process.env['PATH'], SHELL: '/bin/bash' },
    });
    expect(stdout).toBe('rollback\n--out\n');
  });
});
