import { LocalProcess } from './local-process.js';
import { processStart } from './process-identity.js';
import { waitUntil } from './wait-until.js';

const PATIENCE_MS = 30_000;

const DEAF = `process.on('SIGTERM', () => console.log('deaf')); console.log('ready'); setInterval(() => undefined, 1_000);`;

const node = (script: string, ...options: string[]): LocalProcess =>
  new LocalProcess(process.execPath, [...options, '-e', script]);

/** A process that starts another one and prints its number. */
const parentOf = (script: string, order: string): LocalProcess => {
  const module = new URL('./local-process.ts', import.meta.url).href;
  const hooks = new URL('../../../tools/jest/typescript.mjs', import.meta.url).href;
  const parentScript = `
    import { LocalProcess } from ${JSON.stringify(module)};
    const child = new LocalProcess(process.execPath, ['-e', ${JSON.stringify(script)}]);
    await child.says(/ready/);
    ${order}
    console.log(child.pid);`;
  return node(parentScript, '--import', hooks, '--input-type=module');
};

describe('a local process', () => {
  it.each([
    ['is stopped', 'console.log("ready"); setInterval(() => undefined, 1_000);', 'child.pause();'],
    ['does not end on SIGTERM', DEAF, ''],
  ])('does not outlive the process that started it, not even when it %s', async (_, script, order) => {
    const parent = parentOf(script, order);
    await parent.says(/^\d+\n/);
    const child = Number(parent.output.stdout);
    expect(processStart(child)).not.toBeNull();
    await parent.kill();
    expect(await waitUntil(() => processStart(child) === null, PATIENCE_MS)).toBe(true);
  });

  it('keeps its output, and says how it ended', async () => {
    const process = node(`console.log('out'); console.error('err'); process.exit(7);`);
    expect(await process.ended).toEqual({ code: 7, signal: null, stdout: 'out\n', stderr: 'err\n' });
    await expect(process.says(/more/)).rejects.toThrow('The process ended before it wrote more: out\nerr\n');
    expect(await process.stop()).toMatchObject({ code: 7 });
  });

  it('is stopped also while it is paused', async () => {
    const paused = node(`console.log('ready'); setInterval(() => undefined, 1_000);`);
    await paused.says(/ready/);
    paused.pause();
    expect(await paused.stop()).toMatchObject({ signal: 'SIGTERM' });
  });

  it('ends with the reason if there is no such program', async () => {
    const { stderr } = await new LocalProcess('/no/such/program', []).ended;
    expect(stderr).toContain('ENOENT');
  });
});
