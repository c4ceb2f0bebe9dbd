import { constants } from 'node:os';
import { linesOf, printError } from '@roundhouse/logging';
import { explained } from '../database/database-trouble.js';
import type { Stopping } from '../stopping.service.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const STOP_WITHIN_MS = 9_000;

/** The exit code that a shell reports for a program that a signal has ended: 130 for Ctrl-C, 143 for SIGTERM. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** Resolves with the first signal to stop. A second one calls `onSecond` and ends the process at once. */
export const stopSignal = (onSecond: (signal: NodeJS.Signals) => void): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let isStopping = false;
    const hear = (signal: NodeJS.Signals): void => {
      if (isStopping) {
        onSecond(signal);
        process.exit(exitCodeOf(signal));
      }
      isStopping = true;
      resolve(signal);
    };
    for (const signal of SIGNALS) process.on(signal, hear);
  });

/** For commands that change nothing, or everything in one transaction: the first signal ends them. */
export const endAtFirstSignal = (message: string): void => {
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      printError('', message);
      process.exit(exitCodeOf(signal));
    });
  }
};

/** Ends the process within 9 s, even if something hangs. What is not committed by then is dropped whole. */
export const endInTime = (code: number, stopping?: Stopping): void => {
  setTimeout(() => {
    stopping?.warnOfUnfinished();
    process.exit(code);
  }, STOP_WITHIN_MS).unref();
};

/** 0 if everything agrees, 1 if something differs, 2 if the check could not be made. */
export const exitCodeOfCheck = async (check: () => Promise<boolean>): Promise<number> => {
  try {
    return (await check()) ? 0 : 1;
  } catch (error) {
    printError(...linesOf(explained(error)));
    return 2;
  }
};
