import { renameSync, writeFileSync } from 'node:fs';

/**
 * How far the clock of a program or of the database is from ours: a file with whole seconds and their sign, in the form
 * that libfaketime reads. It outlives the program.
 */
export class Clock {
  constructor(readonly file: string) {
    this.set(0);
  }

  /** In seconds; below 0 the clock is slow. */
  set(seconds: number): void {
    const next = `${this.file}.next`;
    writeFileSync(next, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 });
    // Nobody reads half a file.
    renameSync(next, this.file);
  }
}
