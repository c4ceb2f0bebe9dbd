import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { NotReadyError } from '../answers/errors.js';
import { clientToDisplace, FairPlaces } from './places.service.js';

const REFUSAL = 'Too many.';

/** Work that lasts until the test ends it. */
const startPlaces = (most: number, mostWaiting: number, patienceMs?: number) => {
  const places = new FairPlaces({ most, mostWaiting, patienceMs, refusal: REFUSAL });
  const begun: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  /** The name of a work is its client's and a number. */
  const ask = (...names: readonly string[]): void => {
    for (const name of names)
      places
        .use({ client: name[0]! }, () => {
          begun.push(name);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        })
        .catch(() => refused.push(name));
  };
  const end = async (...names: readonly string[]): Promise<void> => {
    await settle();
    for (const name of names) {
      ends.get(name)!();
      await settle();
    }
  };
  return { places, begun, refused, ask, end, settle };
};

const many = (client: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${client}${index}`);

describe('places', () => {
  it('are all for one client while nobody else asks, and one after the other is used again', async () => {
    const { places, begun, ask, end } = startPlaces(2, 10);
    ask('a1', 'a2', 'a3', 'a4');
    expect([places.takenCount, places.waitingCount]).toEqual([2, 2]);
    await end('a1', 'a2', 'a3', 'a4');
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect([places.takenCount, places.waitingCount, places.refusedCount]).toEqual([0, 0, 0]);
  });

  it('go to the waiting client that holds fewest', async () => {
    const { begun, ask, end } = startPlaces(3, 100);
    ask(...many('a', 40), 'b1', 'b2', 'c1');
    await end('a0', 'a1');
    // c has waited for a place since before b got its second one.
    expect(begun.slice(3)).toEqual(['b1', 'c1']);
    await end('a2');
    expect(begun.slice(5)).toEqual(['a3']);
    await end('c1');
    expect(begun.slice(6)).toEqual(['b2']);
  });

  it('go to the client that was served longest ago if several hold as many', async () => {
    const { begun, ask, end, settle } = startPlaces(1, 100);
    ask(...many('a', 40), 'b1', 'b2');
    await settle();
    for (let count = 1; count < 6; count += 1) await end(begun.at(-1)!);
    expect(begun).toEqual(['a0', 'b1', 'a1', 'b2', 'a2', 'a3']);
  });

  it('are refused to the newest request of the client that has most if too many wait', async () => {
    const { places, refused, ask, settle } = startPlaces(1, 4);
    ask(...many('a', 7));
    await settle();
    expect(refused).toEqual(['a5', 'a6']);
    ask('b1', 'c1', 'b2');
    await settle();
    expect(refused.slice(2)).toEqual(['a4', 'a3', 'a2']);
    // Nobody has two more than b would have.
    ask('b3');
    await settle();
    expect(refused.slice(5)).toEqual(['b3']);
    expect([places.waitingCount, places.refusedCount, places.isFull]).toEqual([4, 6, false]);
  });

  it('are full if a client is refused that has none, and not because one client asks too often', async () => {
    const { places, ask, settle, refused } = startPlaces(1, 2);
    ask(...many('a', 9));
    await settle();
    expect([refused.length, places.isFull]).toEqual([6, false]);
    ask('b1', 'c1');
    await settle();
    expect([refused.length, places.isFull]).toEqual([8, false]);
    ask('d1');
    await settle();
    expect([refused.at(-1), places.isFull]).toEqual(['d1', true]);
  });

  it('are refused after the patience, with the sentence, and the work is never done', async () => {
    const { places, begun, ask, end } = startPlaces(1, 4, 20);
    ask('a1');
    await expect(places.use({ client: 'b' }, () => Promise.resolve(begun.push('late')))).rejects.toEqual(
      new NotReadyError(REFUSAL),
    );
    ask('c1');
    await end('a1', 'c1');
    expect(begun).toEqual(['a1', 'c1']);
    expect([places.takenCount, places.waitingCount]).toEqual([0, 0]);
  });

  it('are taken at once while there are any', async () => {
    const places = new FairPlaces({ most: 1, mostWaiting: 1, refusal: REFUSAL });
    expect(places.take({ client: 'a' })).toBe(true);
    const waiting = places.take({ client: 'b' });
    expect(() => places.take({ client: 'c' })).toThrow(new NotReadyError(REFUSAL));
    places.free('a');
    expect(await waiting).toBe(true);
  });

  it('are free again after a failure', async () => {
    const { places, begun, ask, settle } = startPlaces(1, 4);
    const failing = places.use({ client: 'a' }, () => Promise.reject(new Error('it fails')));
    ask('b1');
    await expect(failing).rejects.toThrow('it fails');
    await settle();
    expect(begun).toEqual(['b1']);
  });

  it('are not given to a client that has left', async () => {
    const { places, begun, ask, end } = startPlaces(1, 4);
    const response = Object.assign(new EventEmitter(), { destroyed: false });
    const asker = { client: 'b', response: response as unknown as ServerResponse };
    ask('a1');
    const taking = places.take(asker);
    ask('c1');
    response.emit('close');
    expect(await taking).toBe(false);
    response.destroyed = true;
    expect(await places.take(asker)).toBe(false);
    await end('a1');
    expect([begun, response.listenerCount('close')]).toEqual([['a1', 'c1'], 0]);
  });

  it('let nobody wait once they are closed', async () => {
    const { places, refused, ask, end, settle } = startPlaces(1, 9);
    ask('a1', 'a2', 'b1', 'a3');
    places.close();
    ask('c1');
    await settle();
    expect(refused.toSorted()).toEqual(['a2', 'a3', 'b1', 'c1']);
    await end('a1');
    expect([places.takenCount, places.waitingCount]).toEqual([0, 0]);
  });
});

describe('the client that gives way', () => {
  it.each<[string | null, Record<string, number>]>([
    [null, {}],
    [null, { a: 1 }],
    ['a', { a: 2 }],
    [null, { a: 2, me: 1 }],
    ['b', { a: 3, b: 4, me: 1 }],
    ['a', { a: 4, b: 4, me: 2 }],
    [null, { a: 4, me: 9 }],
  ])('is %s among %j', (displaced, counts) => {
    expect(clientToDisplace(new Map(Object.entries(counts)), 'me')).toBe(displaced);
  });
});
