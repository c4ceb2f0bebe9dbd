import { isAbsolute, relative } from 'node:path';
import { SingleBar } from 'cli-progress';

export interface CatchingUp {
  /** Both are heights. */
  update(indexed: number, total: number): void;
  end(): void;
}

const LINE_EVERY_MS = 2_000;

const bar = (): CatchingUp => {
  const shown = new SingleBar({
    format: '  indexing   [{bar}] {value}/{total} blocks, {percentage} %',
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
  });
  shown.start(1, 0);
  return {
    update: (indexed, total) => {
      shown.setTotal(total);
      shown.update(indexed);
    },
    end: () => shown.stop(),
  };
};

/** For a file or a pipe: one line from time to time. */
const lines = (): CatchingUp => {
  let lastAt = -Infinity;
  return {
    update: (indexed, total) => {
      if (performance.now() - lastAt < LINE_EVERY_MS) return;
      lastAt = performance.now();
      console.log(`  indexing   ${indexed} of ${total} blocks`);
    },
    end: () => undefined,
  };
};

export const showCatchingUp = (): CatchingUp => (process.stdout.isTTY ? bar() : lines());

/** A path as the operator would type it. */
export const shortPath = (path: string): string => {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') || isAbsolute(fromHere) ? path : fromHere;
};

/** Prints one line for a finished phase. */
export const showPhase = (phase: string, state: string): void =>
  console.log(`  ${phase.padEnd(10)} ${state}`);
