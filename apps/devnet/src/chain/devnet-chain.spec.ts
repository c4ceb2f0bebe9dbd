import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeChain, SMALL } from '@roundhouse/testing';
import { makeFolder, NOON, openChain } from '../devnet.harness.js';
import { chainPaths } from './create-chain.js';

const nobody = (): void => undefined;

describe('DevnetChain', () => {
  let folder: ReturnType<typeof makeFolder>;
  let now: number;
  const clock = (): number => now;

  beforeEach(() => {
    folder = makeFolder();
    now = NOON;
  });

  afterEach(() => folder.remove());

  it('has its history at once, and its last block is at the current time', () => {
    const chain = openChain(folder.path, {}, clock);
    expect(chain.log.height).toBe(20);
    expect(chain.now).toBe(chain.head.timestamp);
    expect(chain.head.id).toBe(makeChain({}, 20).blocks.at(-1)!.id);
    chain.close();
  });

  it('forges one block per slot, in the current slot', () => {
    const chain = openChain(folder.path, {}, clock);
    expect(chain.forgeCurrentSlot(nobody)).toBeNull();
    now += 2000;
    const block = chain.forgeCurrentSlot(nobody);
    expect(block?.height).toBe(21);
    expect(block?.timestamp).toBe(chain.now);
    expect(chain.forgeCurrentSlot(nobody)).toBeNull();
    chain.close();
  });

  it('continues where it stopped; the slots in between are missed', () => {
    const before = openChain(folder.path, {}, clock);
    now += 2000;
    before.forgeCurrentSlot(nobody);
    const { head } = before;
    before.close();

    now += 60_000;
    const after = openChain(folder.path, {}, clock);
    expect(after.timing).toEqual(before.timing);
    expect(after.head).toEqual(head);
    const block = after.forgeCurrentSlot(nobody)!;
    expect(block.previousBlock).toBe(head.id);
    expect(block.timestamp - head.timestamp).toBe(60);
    expect(block.generatorPublicKey).toBe(after.state.ledger.round!.forgingOrder[(block.timestamp / 2) % 51]);
    after.close();
  });

  it('continues after a process was killed in the middle of a line', () => {
    const before = openChain(folder.path, {}, clock);
    const { head } = before;
    before.close();
    appendFileSync(chainPaths(folder.path).blocks, '{"id":"1234","version":0,"times');
    const after = openChain(folder.path, {}, clock);
    expect(after.head).toEqual(head);
    now += 2000;
    expect(after.forgeCurrentSlot(nobody)?.height).toBe(21);
    after.close();
  });

  it('starts over if the first start was killed before the chain was complete', () => {
    appendFileSync(chainPaths(folder.path).blocks, 'half a bl');
    const chain = openChain(folder.path, {}, clock);
    expect(chain.log.height).toBe(20);
    chain.close();
  });

  it.each([{ seed: 'another' }, { blockTime: 8 }])(
    'refuses to continue a chain with other settings: %o',
    (other) => {
      openChain(folder.path).close();
      expect(() => openChain(folder.path, other)).toThrow(/DEVNET_SEED=small and DEVNET_BLOCK_TIME=2/);
    },
  );

  it('refuses to continue a chain with other accounts', () => {
    openChain(folder.path).close();
    expect(() => openChain(folder.path, { accounts: SMALL.accounts + 1 })).toThrow(
      /another version of the devnet/,
    );
  });

  it('replaces its newest blocks with another branch and keeps it, across the end of a round', () => {
    const chain = openChain(folder.path, { history: 104 }, clock);
    const old = [...chain.log.blocks(1, 104)];
    chain.fork(6);
    const branch = [...chain.log.blocks(1, 104)];
    expect(branch.slice(0, 98)).toEqual(old.slice(0, 98));
    expect(branch).toHaveLength(104);
    branch.slice(98).forEach((block, index) => {
      expect(block.id).not.toBe(old[98 + index]!.id);
      expect(block.timestamp).toBe(old[98 + index]!.timestamp);
      expect(block.previousBlock).toBe(branch[97 + index]!.id);
    });
    now += 2000;
    expect(chain.forgeCurrentSlot(nobody)?.height).toBe(105);
    const { head } = chain;
    chain.close();
    expect(readFileSync(chainPaths(folder.path).blocks, 'utf8').trimEnd().split('\n')).toHaveLength(105);
    const again = openChain(folder.path, { history: 104 }, clock);
    expect(again.head).toEqual(head);
    again.close();
  });

  it('after a restart, chooses the next forgers by the right weights', () => {
    const forged = ['runs', 'restarts'].map((name) => {
      const chain = openChain(join(folder.path, name), { seed: 'roundhouse', history: 200 }, clock);
      if (name === 'restarts') chain.restartNode();
      for (let more = 0; more < 10; more += 1) chain.forgeNext(nobody);
      // Replays the blocks, as a node does that syncs them.
      const { forgotten } = chain.copy(210).state.ledger.claims;
      const forgers = [...chain.log.blocks(200, 210)].map(({ generatorPublicKey }) => generatorPublicKey);
      chain.close();
      return { forgotten, forgers };
    });
    const [runs, restarts] = forged as [(typeof forged)[0], (typeof forged)[0]];
    // Round 4 ends at 204.
    expect(restarts.forgers.slice(0, 5)).toEqual(runs.forgers.slice(0, 5));
    expect(restarts.forgers.slice(5)).not.toEqual(runs.forgers.slice(5));
    expect(runs.forgotten).toBe(0);
    expect(restarts.forgotten).toBeGreaterThan(0);
  });

  it('restarted between two rounds, chooses the forgers of the new one again', () => {
    const chain = openChain(folder.path, { seed: 'roundhouse', history: 204 }, clock);
    const before = chain.state.ledger.round!;
    chain.restartNode();
    const after = chain.state.ledger.round!;
    expect(after).toMatchObject({ round: 5, forgottenClaims: chain.state.ledger.claims.count });
    expect(after.forgingOrder).not.toEqual(before.forgingOrder);
    expect(chain.forgeNext(nobody).height).toBe(205);
    chain.close();
  });

  it('keeps its genesis block for any depth of a fork', () => {
    const chain = openChain(folder.path, {}, clock);
    expect(() => chain.fork(20)).toThrow('the first of them stays');
    chain.close();
  });
});
