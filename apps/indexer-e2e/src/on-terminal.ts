import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appMain } from '@roundhouse/local-postgres';
import { eventually } from '@roundhouse/testing';
import { TEST_SETTINGS } from './indexer-process.js';

const CTRL_C = '\x03';

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** `indexer <command>` on its own terminal (util-linux `script`), which shows both outputs and takes keys. */
export class IndexerOnTerminal {
  private readonly child;
  private readonly closed: Promise<unknown>;
  private shown = '';

  constructor(command: readonly string[], environment: Readonly<Record<string, string>>) {
    const words = [process.execPath, appMain('indexer'), ...command].map(quoted).join(' ');
    // The shell stays until the program has ended, and shows its exit code.
    const line = `trap : INT; stty columns 160; ${words}; echo "exit code $?"`;
    this.child = spawn('script', ['-qfc', line, '/dev/null'], {
      env: {
        PATH: process.env['PATH'],
        TERM: 'xterm',
        SHELL: '/bin/sh',
        ...TEST_SETTINGS,
        ...environment,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout.on('data', (text: Buffer) => (this.shown += text.toString()));
    this.closed = once(this.child, 'close');
  }

  /** Waits until the terminal has shown the pattern; fails with the actual output if the program ends first. */
  async shows(pattern: RegExp): Promise<void> {
    await eventually(`the terminal shows ${pattern.source}`, () => {
      if (pattern.test(this.shown)) return true;
      if (this.child.exitCode === null) return false;
      throw new Error(this.shown);
    });
  }

  pressCtrlC(): void {
    this.child.stdin.write(CTRL_C);
  }

  /** Everything that was shown, once the program has ended. */
  async ended(): Promise<string> {
    await this.closed;
    return this.shown;
  }
}
