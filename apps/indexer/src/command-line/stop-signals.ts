import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** As a shell gives it for a program that a signal has ended: 130 for Ctrl-C, 143 for SIGTERM. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** Resolves with the first signal to stop; the second, which `onSecond` hears, ends the process at once. */
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

/** For commands that leave nothing behind, or change all in one transaction: the first signal ends them. */
export const endsAtOnce = (message: string): void => {
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      console.error(`\n${message}`);
      process.exit(exitCodeOf(signal));
    });
  }
};
