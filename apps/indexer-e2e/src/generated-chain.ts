import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runApp } from '@roundhouse/local-postgres';

export const USUAL_FORM = '--accounts 60 --delegates 55 --transactions-per-block 0.5';

/** A chain with real signatures that the devnet has written into a folder of its own. */
export class GeneratedChain {
  readonly archive: string;
  readonly network: string;

  private constructor(private readonly folder: string) {
    this.archive = this.file('chain.ndjson');
    this.network = this.file('chain.network.json');
  }

  /** Every call with the same arguments writes the same chain. */
  static async generate(blocks: number, form = USUAL_FORM): Promise<GeneratedChain> {
    const chain = new GeneratedChain(await mkdtemp(join(tmpdir(), 'roundhouse-generated-')));
    const files = ['--out', chain.archive, '--network', chain.network];
    await runApp('devnet', ['generate', '--blocks', String(blocks), ...files, ...form.split(' ')]);
    return chain;
  }

  /** The path of a file in its folder. */
  file(name: string): string {
    return join(this.folder, name);
  }

  /** The settings with which an indexer reads an archive of this chain. */
  settings(archive = this.archive) {
    return { BLOCK_SOURCE: `file:${archive}`, NETWORK: this.network };
  }

  /** Of the archive, each with its line break. */
  async lines(): Promise<string[]> {
    return (await readFile(this.archive, 'utf8')).split(/(?<=\n)/);
  }

  /** Writes a file of these lines, and returns its path. */
  async write(name: string, lines: readonly string[]): Promise<string> {
    await writeFile(this.file(name), lines.join(''));
    return this.file(name);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
