import { appMain, LocalProcess } from '@roundhouse/local-postgres';
import { TEST_SETTINGS } from './indexer-process.js';

const CTRL_C = '\x03';

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** `indexer <command>` on its own terminal (util-linux `script`), which shows both outputs and takes keys. */
export class IndexerOnTerminal {
  private readonly process: LocalProcess;

  constructor(command: readonly string[], environment: Readonly<Record<string, string>>) {
    const words = [process.execPath, appMain('indexer'), ...command].map(quoted).join(' ');
    // The shell stays until the program has ended, and shows its exit code.
    const line = `trap : INT; stty columns 160; ${words}; echo "exit code $?"`;
    this.process = new LocalProcess('script', ['-qfc', line, '/dev/null'], {
      environment: {
        PATH: process.env['PATH'],
        TERM: 'xterm',
        SHELL: '/bin/sh',
        ...TEST_SETTINGS,
        ...environment,
      },
      takesInput: true,
      stderr: 'inherit',
    });
  }

  /** Waits until the terminal has shown the pattern; fails with the actual output if the program ends first. */
  shows(pattern: RegExp): Promise<void> {
    return this.process.says(pattern);
  }

  pressCtrlC(): void {
    this.process.type(CTRL_C);
  }

  /** Everything that was shown, once the program has ended. */
  async ended(): Promise<string> {
    return (await this.process.ended).stdout;
  }
}
