import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOwner, lockFolder } from './folder-lock.js';
import { FolderInUseError } from './local-postgres.error.js';

const RACES = 300;
const root = mkdtempSync(join(tmpdir(), 'folder-lock-'));
let folders = 0;
const newFolder = (): string => join(root, `folder-${folders++}`);

/** Tries to lock a folder at a given time, reports the result, and releases the lock with the next message. */
const CONTENDER = `
import { lockFolder } from ${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)};
let lock = null;
process.on('message', async ({ folder, at }) => {
  if (lock !== null) lock.release();
  lock = null;
  if (folder === undefined) return process.send('released');
  while (Date.now() < at);
  try {
    lock = await lockFolder(folder);
    process.send('locked');
  } catch (error) {
    process.send(error.code === 'FOLDER_IN_USE' ? 'in use' : String(error));
  }
});
process.send('ready');
`;

/** Another process that locks folders on request. */
class Contender {
  private constructor(readonly child: ChildProcess) {}

  static async start(): Promise<Contender> {
    const hooks = new URL('../../../tools/jest/typescript.mjs', import.meta.url).href;
    const child = spawn(
      process.execPath,
      ['--conditions=@roundhouse/source', '--import', hooks, '--input-type=module', '-e', CONTENDER],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    );
    await once(child, 'message');
    return new Contender(child);
  }

  lock = (folder: string, at = 0): Promise<string> => this.ask({ folder, at });

  release = (): Promise<string> => this.ask({});

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  private async ask(message: object): Promise<string> {
    const answered = once(this.child, 'message');
    this.child.send(message);
    return ((await answered) as [string])[0];
  }
}

describe('the lock of a folder', () => {
  let contenders: Contender[];

  beforeEach(async () => {
    contenders = await Promise.all([Contender.start(), Contender.start(), Contender.start()]);
  });

  afterEach(() => Promise.all(contenders.map((contender) => contender.kill())));

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('is given to exactly one of several concurrent processes, also if a killed process has left its note', async () => {
    const outcomes = new Set<string>();
    for (let race = 0; race < RACES; race++) {
      const folder = newFolder();
      if (race % 3 > 0) {
        mkdirSync(folder);
        writeFileSync(join(folder, 'owner.json'), JSON.stringify({ pid: 2 ** 22 + 1, start: '1' }));
      }
      const at = Date.now() + 4;
      const answers = await Promise.all(contenders.map((contender) => contender.lock(folder, at)));
      outcomes.add(answers.sort().join(', '));
      await Promise.all(contenders.map((contender) => contender.release()));
    }
    expect([...outcomes]).toEqual(['in use, in use, locked']);
  });

  it('ends with its process, and names the process that holds it', async () => {
    const [first, second] = contenders as [Contender, Contender];
    const folder = newFolder();
    expect(await first.lock(folder)).toBe('locked');
    expect(folderOwner(folder)).toBe(first.child.pid);
    await expect(lockFolder(folder)).rejects.toThrow(new FolderInUseError(folder, first.child.pid!));
    await first.kill();
    expect(existsSync(join(folder, 'owner.json'))).toBe(true);
    expect(folderOwner(folder)).toBeNull();
    expect(await second.lock(folder)).toBe('locked');
    expect(folderOwner(folder)).toBe(second.child.pid);
  });

  it('belongs to the folder: neither another path to it nor a removed note lets another process take it', async () => {
    const folder = newFolder();
    const lock = await lockFolder(folder);
    const link = newFolder();
    symlinkSync(folder, link);
    const moved = newFolder();
    renameSync(folder, moved);
    rmSync(join(moved, 'owner.json'));
    await expect(lockFolder(moved)).rejects.toThrow(new FolderInUseError(moved, null));
    renameSync(moved, folder);
    expect(await contenders[0]!.lock(link)).toBe('in use');
    lock.release();
    expect(await contenders[0]!.lock(link)).toBe('locked');
  });

  it('is released once: a second release does not affect the next holder', async () => {
    const folder = newFolder();
    const lock = await lockFolder(folder);
    lock.release();
    const next = await lockFolder(folder);
    lock.release();
    expect(folderOwner(folder)).toBe(process.pid);
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
    next.release();
    expect(existsSync(join(folder, 'owner.json'))).toBe(false);
  });
});
