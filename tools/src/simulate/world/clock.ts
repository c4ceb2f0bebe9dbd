import { renameSync, writeFileSync } from 'node:fs';

/**
 * The offset of the clock of a program or of the database: a file with signed whole seconds, in the form that
 * libfaketime reads. It outlives the program.
 */
export class Clock {
  constructor(readonly file: string) {
    this.set(0);
  }

  /** In seconds; below 0 the clock is behind. */
  set(seconds: number): void {
    const next = `${this.file}.next`;
    writeFileSync(next, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 });
    // Renamed into place, so that nobody reads half a file.
    renameSync(next, this.file);
  }
}
