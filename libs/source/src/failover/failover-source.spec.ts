import type { BlockRef } from '@roundhouse/chain';
import type { BlockSource } from '../block-source.js';
import { NodeProtocolError, NodeUnavailableError, type UnavailableKind } from '../errors/node-errors.js';
import { FailoverSource } from './failover-source.js';

const COOL_DOWN_MS = 1000;

/** A source that answers, or fails as it was told to. */
class Stub implements BlockSource {
  failure: Error | null = null;
  asked = 0;
  isClosed = false;

  constructor(readonly name: string) {}

  fail(kind: UnavailableKind): void {
    this.failure = new NodeUnavailableError(this.name, kind, `${this.name} is ${kind}`);
  }

  tip(): Promise<BlockRef> {
    this.asked += 1;
    return this.failure ? Promise.reject(this.failure) : Promise.resolve({ height: 1, id: this.name });
  }

  network = (): Promise<null> => Promise.resolve(null);
  blockIdAt = (): Promise<null> => Promise.resolve(null);
  blocks = (): Promise<[]> => Promise.resolve([]);

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

describe('FailoverSource', () => {
  let now: number;
  let [first, second, third]: [Stub, Stub, Stub] = [new Stub(''), new Stub(''), new Stub('')];
  let source: FailoverSource;

  const answering = async (): Promise<string> => (await source.tip()).id;

  beforeEach(() => {
    now = 0;
    [first, second, third] = [new Stub('first'), new Stub('second'), new Stub('third')];
    source = new FailoverSource([first, second, third], { coolDownMs: COOL_DOWN_MS, now: () => now });
  });

  it('asks the most preferred source that answers, and names it', async () => {
    expect(await answering()).toBe('first');
    first.fail('refused');
    second.fail('timeout');
    expect(await answering()).toBe('third');
    expect(source.name).toBe('third');
  });

  it('stays with an alternative until the cool-down is over, then goes back', async () => {
    first.fail('refused');
    expect(await answering()).toBe('second');
    first.failure = null;
    now = COOL_DOWN_MS - 1;
    expect(await answering()).toBe('second');
    expect(first.asked).toBe(1);
    now = COOL_DOWN_MS;
    expect(await answering()).toBe('first');
    expect(source.name).toBe('first');
  });

  it('tries a preferred source that is still away once in each cool-down', async () => {
    first.fail('refused');
    for (now = 0; now < 3 * COOL_DOWN_MS; now += 100) expect(await answering()).toBe('second');
    expect(first.asked).toBe(3);
  });

  it('goes back at once where the alternative fails in its turn', async () => {
    first.fail('refused');
    await source.tip();
    first.failure = null;
    second.fail('http-5xx');
    expect(await answering()).toBe('first');
  });

  it('tells of all failures where no source answers', async () => {
    first.fail('refused');
    second.fail('timeout');
    third.fail('http-5xx');
    await expect(source.tip()).rejects.toMatchObject({
      kind: 'refused',
      source: 'first, second, third',
      message: 'None of the 3 sources answers: first is refused | second is timeout | third is http-5xx',
    });
  });

  it('takes no other for one that answers nonsense, or that is replacing its newest blocks', async () => {
    first.failure = new NodeProtocolError('first', 'nonsense');
    await expect(source.tip()).rejects.toBe(first.failure);
    first.fail('moved');
    await expect(source.tip()).rejects.toBe(first.failure);
    expect(second.asked).toBe(0);
  });

  it('closes all of them', async () => {
    await source.close();
    expect([first, second, third].every(({ isClosed }) => isClosed)).toBe(true);
  });
});
