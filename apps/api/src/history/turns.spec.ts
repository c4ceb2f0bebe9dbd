import { setTimeout as wait } from 'node:timers/promises';
import { NotReadyError } from '../chain/not-ready.error.js';
import { Turns } from './turns.js';

describe('turns', () => {
  it('come one after the other, in the order of the calls, also after a failure', async () => {
    const turns = new Turns(10_000);
    const events: string[] = [];
    const work = (name: string) => async () => {
      events.push(`${name} begins`);
      await wait(1);
      events.push(`${name} ends`);
      if (name === 'b') throw new Error('b fails');
      return name;
    };
    const ended = await Promise.allSettled(['a', 'b', 'c'].map((name) => turns.take(work(name))));
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(events).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('are refused to those who have waited too long, and their work is never done', async () => {
    const turns = new Turns(20);
    let end!: () => void;
    const first = turns.take(() => new Promise<void>((resolve) => (end = resolve)));
    const done: string[] = [];
    const late = turns.take(() => Promise.resolve(done.push('late')));
    await expect(late).rejects.toBeInstanceOf(NotReadyError);
    const next = turns.take(() => Promise.resolve(done.push('next')));
    end();
    await Promise.all([first, next]);
    expect(done).toEqual(['next']);
  });
});
