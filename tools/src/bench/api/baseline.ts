import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { ConstantAnswer } from './baseline-server.js';

export interface Baseline {
  readonly url: string;
  /** Sets the body of `/constant` and the headers of all answers. */
  answer(answer: ConstantAnswer): Promise<void>;
  stop(): Promise<void>;
}

export const startBaseline = async (databaseUrl: string): Promise<Baseline> => {
  const child = fork(new URL('./baseline-server.js', import.meta.url), [databaseUrl]);
  const ended = once(child, 'exit');
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}`,
    answer: async (answer) => {
      const ready = once(child, 'message');
      child.send(answer);
      await ready;
    },
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
};
