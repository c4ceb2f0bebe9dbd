import { jest } from '@jest/globals';
import { commands } from './commands.js';
import { parseAndRun } from './parse-and-run.js';

/** Arguments are refused before the environment is read. */
const NOTHING = {};

const printed = async (...args: string[]): Promise<string> => {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    expect(await parseAndRun(args, NOTHING)).toBe(0);
    return log.mock.calls.map(([text]) => String(text)).join('\n');
  } finally {
    log.mockRestore();
  }
};

const refusal = async (...args: string[]): Promise<string> => {
  const error = await parseAndRun(args, NOTHING).then(
    () => null,
    (reason: Error & { code?: string }) => reason,
  );
  expect(error?.code).toBe('OPERATOR');
  return error!.message;
};

describe('parseAndRun', () => {
  it.each(commands.map(({ name }) => name))(
    'prints a help for %s with examples, what it needs and its exit codes',
    async (name) => {
      const text = await printed(name, '--help');
      expect(text).toContain(`indexer ${name}`);
      expect(text).toMatch(/Examples:\n {2}\S/);
      expect(text).toMatch(/Needs [A-Z_]{8,}/);
      expect(text).toMatch(/Exit code: 0\s/);
      expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
    },
  );

  it('lists every command in one line', async () => {
    const text = await printed('--help');
    for (const { name, summary } of commands) expect(text).toContain(`indexer ${name.padEnd(14)}${summary}`);
    expect(text).toContain('indexer completion');
  });

  it.each([
    [['rollbak'], /^There is no command "rollbak"\. Did you mean "rollback"\?/],
    [['verfiy', '--against', 'x'], /Did you mean "verify"\?/],
    [['staus'], /Did you mean "status"\?/],
    [['snyc'], /Did you mean "sync"\?/],
    [['reb'], /Did you mean "rebuild"\?/],
    [['exprot'], /Did you mean "export"\?/],
    [['x'], /^There is no command "x"\. The commands are run, /],
    [['deploy'], /^There is no command "deploy"\. The commands are run, /],
    [['serve'], /^There is no command "serve"\. The commands are run, /],
    [['reset', '--to', '5'], /^"indexer reset" has no option "--to"\. "indexer reset --help" lists/],
    [['reset', '--yess'], /has no option "--yess"\. Did you mean "--yes"\?/],
    [['rollback', '--ot', '5'], /Did you mean "--to"\?/],
    [['sync', 'to', '5'], /^"indexer sync" takes no "to"\. Did you mean "--to"\?/],
    [['verify', '--from-genesis=maybe'], /^"--from-genesis" takes no value: leave "=maybe" out/],
    [['completion', 'tcsh'], /^"indexer completion" takes no "tcsh": it prints what zsh needs if SHELL/],
    [['--watch'], /^"indexer run" has no option "--watch"/],
    [['run', '-w'], /^"indexer run" has no option "-w"/],
    [['sync', '--to'], /^Not enough arguments following: to/],
    [['sync', '--to', '1', '--to', '2'], /^"--to" is given more than once/],
    [['snapshot'], /^"indexer snapshot" takes one of create, restore, inspect\.$/],
    [['snapshot', 'creat'], /takes one of create, restore, inspect, not "creat"\. Did you mean "create"\?$/],
    [['snapshot', 'inspect', 'x.tar'], /^"indexer snapshot" takes no "x\.tar"/],
    [['snapshot', 'inspect'], /^Name the snapshot: "indexer snapshot inspect --file /],
    [['status', '--no-json'], /^"indexer status" has no option "--no-json"\./],
  ])('refuses %p and suggests what was meant', async (args, says) => {
    expect(await refusal(...args)).toMatch(says);
  });

  it('completes the commands, and the options of the command that is typed', async () => {
    expect(await printed('--get-yargs-completions', 'indexer', '')).toMatch(/^run\nsync\nstatus\n/);
    const options = await printed('--get-yargs-completions', 'indexer', 'export', '--');
    expect(options.split('\n')).toEqual(expect.arrayContaining(['--out', '--network', '--to']));
  });
});
