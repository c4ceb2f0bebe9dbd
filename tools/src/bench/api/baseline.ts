import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { ConstantAnswer } from './baseline-server.js';

export interface Baseline {
  readonly url: string;
  /** Sets the body of `/constant` and the headers of all answers. */
  answer(answer: ConstantAnswer): Promise<void>;
}

/** Runs a bare server over the same index while `work` runs. */
export const withBaseline = async <T>(
  databaseUrl: string,
  work: (baseline: Baseline) => Promise<T>,
): Promise<T> => {
  const child = fork(new URL('./baseline-server.js', import.meta.url), [databaseUrl]);
  const ended = once(child, 'exit');
  const [port] = (await once(child, 'message')) as [number];
  const answer = async (constant: ConstantAnswer): Promise<void> => {
    const ready = once(child, 'message');
    child.send(constant);
    await ready;
  };
  try {
    return await work({ url: `http://127.0.0.1:${port}`, answer });
  } finally {
    child.disconnect();
    await ended;
  }
};
