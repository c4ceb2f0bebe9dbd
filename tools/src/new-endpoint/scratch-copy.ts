import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Change } from './template.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const PACKAGES = 'node_modules';

/** The workspace's own packages are links to its folders. */
const OWN = '@roundhouse';

const LEFT_OUT = new Set([PACKAGES, '.git', '.nx', '.data', '.env', 'reports', 'coverage']);

const GIT_IDENTITY = ['-c', 'user.name=scratch', '-c', 'user.email=scratch@localhost'];

/** A copy of the workspace, compiled as far as the workspace is, with its installed packages and a git history of its own. */
export class ScratchCopy {
  private constructor(private readonly folder: string) {}

  static async make(): Promise<ScratchCopy> {
    const folder = await mkdtemp(join(tmpdir(), 'roundhouse-scratch-'));
    for (const name of (await readdir(ROOT)).filter((name) => !LEFT_OUT.has(name)))
      await cp(join(ROOT, name), join(folder, name), { recursive: true, preserveTimestamps: true });
    await mkdir(join(folder, PACKAGES));
    for (const name of (await readdir(join(ROOT, PACKAGES))).filter((name) => name !== OWN))
      await symlink(join(ROOT, PACKAGES, name), join(folder, PACKAGES, name));
    await cp(join(ROOT, PACKAGES, OWN), join(folder, PACKAGES, OWN), {
      recursive: true,
      verbatimSymlinks: true,
    });
    const copy = new ScratchCopy(folder);
    await copy.run('git', 'init', '--quiet');
    await copy.run('git', 'add', '--all');
    await copy.run('git', ...GIT_IDENTITY, 'commit', '--quiet', '--message', 'before');
    return copy;
  }

  async apply({ file, text, imports = '', before = {} }: Change): Promise<void> {
    const path = join(this.folder, file);
    let changed = text ?? imports + (await readFile(path, 'utf8'));
    for (const [anchor, inserted] of Object.entries(before)) {
      if (!changed.includes(anchor))
        throw new Error(`${file} no longer has "${anchor}": correct template.ts.`);
      changed = changed.replace(anchor, () => inserted + anchor);
    }
    await writeFile(path, changed);
  }

  /** Returns what the command prints. Throws with all of it if the command fails. */
  run(command: string, ...args: readonly string[]): Promise<string> {
    return this.runWith({}, command, ...args);
  }

  /** The same, with further environment variables. */
  async runWith(
    more: Readonly<Record<string, string>>,
    command: string,
    ...args: readonly string[]
  ): Promise<string> {
    const options = { cwd: this.folder, maxBuffer: 2 ** 26, env: { ...process.env, ...more } };
    try {
      return (await promisify(execFile)(command, args, options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
    }
  }

  /** The files that git sees as changed or new. */
  async changedFiles(): Promise<string[]> {
    const lines = (await this.run('git', 'status', '--porcelain', '--untracked-files=all')).split('\n');
    return lines.filter((line) => line !== '').map((line) => line.slice('XY '.length));
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
