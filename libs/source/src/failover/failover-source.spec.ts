import type { Block, BlockRef, Network } from '@roundhouse/chain';
import { eventually } from '@roundhouse/testing';
import type { BlockSource, ProblemOf } from '../block-source.js';
import { NodeProtocolError, NodeUnavailableError, type UnavailableKind } from '../errors/node-errors.js';
import { FailoverSource, type SourceChange } from './failover-source.js';

const PROBE_MS = 1000;

/** A source that answers, or fails as the test requires. */
class Stub implements BlockSource {
  height = 100;
  /** How many more blocks it announces than it has. */
  boast = 0;
  /** Fails everything. */
  failure: Error | null = null;
  /** Fails only `blocks`. */
  wrongBlocks: Error | null = null;
  hangs = false;
  tipsAsked = 0;
  readonly asked: string[] = [];
  isClosed = false;
  distrust?: (problemOf: ProblemOf) => void;

  constructor(readonly name: string) {}

  fail(kind: UnavailableKind): void {
    this.failure = new NodeUnavailableError(this.name, kind, `${this.name} is ${kind}`);
  }

  async tip(): Promise<BlockRef> {
    this.tipsAsked += 1;
    if (this.hangs) await new Promise(() => undefined);
    if (this.failure) throw this.failure;
    return { height: this.height + this.boast, id: this.name };
  }

  network = (): Promise<Network | null> => Promise.resolve(null);
  blockAt = (): Promise<Block | null> => Promise.resolve(null);

  blocks(from: number, to: number): Promise<Block[]> {
    const failure = this.failure ?? this.wrongBlocks;
    if (failure) return Promise.reject(failure);
    const count = Math.max(Math.min(to, this.height) - from + 1, 0);
    this.asked.push(`${from}-${to}`);
    return Promise.resolve(Array.from({ length: count }, (_, index) => ({ height: from + index }) as Block));
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

describe('FailoverSource', () => {
  let now: number;
  let [first, second, third]: [Stub, Stub, Stub] = [new Stub(''), new Stub(''), new Stub('')];
  let source: FailoverSource;
  let changes: SourceChange[];

  const answering = async (): Promise<string> => (await source.tip()).id;

  /** Waits for one probe of all sources. Returns the name of the source that answers then. */
  const afterProbe = async (): Promise<string> => {
    now += PROBE_MS;
    const asked = [first, second, third].map(({ tipsAsked }) => tipsAsked);
    await answering();
    await eventually('all sources are probed', () =>
      [first, second, third].every(({ tipsAsked }, index) => tipsAsked > asked[index]!),
    );
    // The probe's result is known after all pending work has run.
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    return answering();
  };

  beforeEach(async () => {
    now = 0;
    changes = [];
    [first, second, third] = [new Stub('first'), new Stub('second'), new Stub('third')];
    source = new FailoverSource([first, second, third], {
      probeMs: PROBE_MS,
      now: () => now,
      onChange: (change) => changes.push(change),
    });
    await afterProbe();
  });

  it('asks the most preferred source that answers, names it, and reports the change once', async () => {
    expect(await answering()).toBe('first');
    first.fail('refused');
    second.fail('timeout');
    for (let poll = 0; poll < 5; poll += 1) expect(await answering()).toBe('third');
    expect(source.name).toBe('third');
    expect(changes).toEqual([{ from: 'first', to: 'third', reason: 'first is refused' }]);
  });

  it('returns to the preferred source when it is healthy again, and asks it nothing until the next probe', async () => {
    first.fail('refused');
    expect(await answering()).toBe('second');
    const asked = first.tipsAsked;
    first.failure = null;
    for (let poll = 0; poll < 5; poll += 1) expect(await answering()).toBe('second');
    expect(first.tipsAsked).toBe(asked);
    expect(await afterProbe()).toBe('first');
    expect(changes.map(({ to }) => to)).toEqual(['second', 'first']);
    expect(changes[1]!.reason).toBe('A preferred source is healthy again.');
  });

  it('reports nothing while probes find the preferred source still unavailable', async () => {
    first.fail('refused');
    for (let look = 0; look < 4; look += 1) expect(await afterProbe()).toBe('second');
    expect(changes).toHaveLength(1);
  });

  it('leaves a source that answers wrongly, until it answers the same request correctly', async () => {
    first.wrongBlocks = new NodeProtocolError('first', 'block 7 is wrong', { height: 7 });
    expect(await source.blocks(1, 9)).toHaveLength(9);
    expect(changes).toEqual([{ from: 'first', to: 'second', reason: 'block 7 is wrong' }]);
    // It still reports its height.
    expect(await afterProbe()).toBe('second');
    first.wrongBlocks = null;
    expect(await afterProbe()).toBe('first');
  });

  it('leaves a source that is more than 3 blocks behind, and returns when it has caught up', async () => {
    second.height = 103;
    expect(await afterProbe()).toBe('first');
    second.height = 104;
    expect(await afterProbe()).toBe('second');
    expect(changes).toEqual([{ from: 'first', to: 'second', reason: 'first is 4 blocks behind.' }]);
    // Being near is not enough to return to it: it would soon be left again.
    first.height = 102;
    expect(await afterProbe()).toBe('second');
    first.height = 103;
    expect(await afterProbe()).toBe('first');
  });

  it('does not switch to a source that announces blocks it does not have', async () => {
    second.boast = 1_000;
    third.height = 104;
    expect(await afterProbe()).toBe('third');
    expect(changes).toEqual([{ from: 'first', to: 'third', reason: 'first is 4 blocks behind.' }]);
    first.height = 104;
    first.boast = 1_000;
    second.height = 105;
    // `first` is level, but is not used while it announces blocks that it does not return.
    for (let look = 0; look < 3; look += 1) expect(await afterProbe()).toBe('third');
    first.boast = 0;
    expect(await afterProbe()).toBe('first');
  });

  it('leaves a source that announces new blocks but does not return them', async () => {
    first.fail('refused');
    second.boast = 1_000;
    expect(await answering()).toBe('second');
    first.failure = null;
    first.height = third.height = 110;
    expect(await afterProbe()).toBe('second');
    // `CheckedSource` limits its height to the blocks that it returns.
    second.boast = 0;
    expect(await afterProbe()).toBe('first');
    expect(first.asked).toContain('101-104');
  });

  it('does not wait for an unused source that hangs', async () => {
    first.fail('timeout');
    expect(await answering()).toBe('second');
    first.hangs = true;
    now += PROBE_MS;
    for (let poll = 0; poll < 5; poll += 1) expect(await answering()).toBe('second');
  });

  it('returns at once if the alternative fails as well', async () => {
    first.fail('refused');
    await source.tip();
    first.failure = null;
    second.fail('http-5xx');
    third.fail('http-5xx');
    expect(await answering()).toBe('first');
  });

  it('reports all failures if no source answers', async () => {
    first.fail('refused');
    second.fail('timeout');
    third.fail('http-5xx');
    const message =
      'None of the 3 sources answers correctly: first is refused | second is timeout | third is http-5xx';
    const wrong = { kind: 'refused', source: 'first, second, third', message };
    await expect(source.tip()).rejects.toMatchObject(wrong);
    expect(changes).toEqual([]);
  });

  it('names the wrong block if all sources return it, and asks to retry if one is only unavailable', async () => {
    for (const each of [first, second, third])
      each.wrongBlocks = new NodeProtocolError(each.name, 'it returned a wrong block', { height: 7 });
    await expect(source.blocks(1, 9)).rejects.toMatchObject({ code: 'NODE_PROTOCOL', height: 7 });
    second.fail('refused');
    await expect(source.blocks(1, 9)).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE', kind: 'refused' });
  });

  it('keeps a source that is replacing its newest blocks', async () => {
    first.fail('moved');
    await expect(source.blocks(1, 9)).rejects.toBe(first.failure);
    expect(source.name).toBe('first');
  });

  it('tells all sources which blocks to distrust', () => {
    const problemOf = (): null => null;
    const told: unknown[] = [];
    first.distrust = second.distrust = third.distrust = (given) => told.push(given);
    source.distrust(problemOf);
    expect(told).toEqual([problemOf, problemOf, problemOf]);
  });

  it('knows the network if one of the sources reports it', async () => {
    const network = { name: 'told' } as Network;
    third.network = () => Promise.resolve(network);
    expect(await source.network()).toBe(network);
  });

  it('closes all sources', async () => {
    await source.close();
    expect([first, second, third].every(({ isClosed }) => isClosed)).toBe(true);
  });
});
