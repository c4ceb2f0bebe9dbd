import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LocalProcess } from '@roundhouse/local-postgres';
import { eventually, makeStackFolder, stackPorts, type StackPorts } from '@roundhouse/testing';
import { processesOf } from './processes-of.js';
import { fencedBlocks, outputLike } from './tutorial-blocks.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const [install, start, ready, ...rest] = fencedBlocks(readFileSync(join(ROOT, 'docs/tutorial.md'), 'utf8'));

/** What a reader does after the start, each with the output that the page shows for it. */
const acts = rest.flatMap(({ language, text }, index) => {
  const next = rest[index + 1];
  const shown = next?.language === 'text' ? next.text : undefined;
  return language === 'text' ? [] : [{ firstLine: text.split('\n')[0], language, text, shown }];
});

/** Far more than a start takes: other tests may keep the machine busy. */
const READY_MS = 180_000;

let folder: string;
let ports: StackPorts;
let stack: LocalProcess;
let output = '';

const withOurPorts = (text: string): string =>
  text.replaceAll(':4003', `:${ports.PORT}`).replaceAll(':4200', `:${ports.DEVNET_PORT}`);
const withUsualPorts = (text: string): string =>
  text.replaceAll(`:${ports.PORT}`, ':4003').replaceAll(`:${ports.DEVNET_PORT}`, ':4200');

const environment = (): NodeJS.ProcessEnv => {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, ...ports };
};

/** The folder of a reader: everything is linked to the workspace, except for what the reader makes. */
beforeAll(async () => {
  folder = makeStackFolder();
  ports = await stackPorts();
  const linked = readdirSync(ROOT).filter((name) => !['.git', '.data', '.env'].includes(name));
  for (const name of linked) symlinkSync(join(ROOT, name), join(folder, name));
});

afterAll(async () => {
  void stack?.kill();
  await eventually('no process is left', () => processesOf(folder).length === 0);
  rmSync(folder, { recursive: true, force: true });
});

describe('the tutorial', () => {
  it('begins with what this workspace has already done', () => {
    expect(install).toEqual({
      language: 'sh',
      text: 'git clone <the address of this repository> roundhouse\ncd roundhouse\nnpm ci',
    });
  });

  it('starts the stack as shown', async () => {
    const hear = (text: string): void => void (output += text);
    stack = new LocalProcess('bash', ['-ec', start!.text], { folder, environment: environment(), hear });
    const isDecided = (): boolean => output.includes('Ready.') || stack.hasEnded;
    await eventually('it is ready or has ended', isDecided, READY_MS).catch((error: Error) => {
      throw new Error(`${error.message}:\n${output}`);
    });
    expect(withUsualPorts(output)).toMatch(outputLike(`${ready!.text}…`));
  });

  it('has commands, output and a script', () => {
    expect(acts.map(({ language }) => language)).toEqual([
      'sh',
      'sh',
      'sh',
      'sh',
      'sh',
      'sh',
      'js',
      'sh',
      'sh',
    ]);
  });

  it.each(acts)('goes on with: $firstLine', async ({ language, text, shown }) => {
    if (language === 'js') {
      const [, name] = /^\/\/ ([\w-]+\.mjs)$/m.exec(text)!;
      writeFileSync(join(folder, name!), withOurPorts(text));
      return;
    }
    const { stdout } = await promisify(execFile)('bash', ['-ec', withOurPorts(text)], {
      cwd: folder,
      env: environment(),
    });
    expect(shown).toBeDefined();
    expect(withUsualPorts(stdout)).toMatch(outputLike(shown!));
  });

  it('has a script that says in one sentence that a delegate is unknown', async () => {
    const run = promisify(execFile)(process.execPath, ['my-payouts.mjs', 'nobody', '90', '200'], {
      cwd: folder,
    });
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There was no delegate [^\n]+\n$/),
    });
  });

  it('stops on Ctrl-C', async () => {
    // A terminal sends it to the whole group.
    process.kill(-stack.pid, 'SIGINT');
    await stack.ended;
    expect(output.trim()).toMatch(/Stopped\.$/);
  });
});
