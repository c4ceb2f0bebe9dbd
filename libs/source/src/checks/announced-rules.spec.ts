import { readFileSync } from 'node:fs';
import { decodeBlock } from '@roundhouse/blocks';
import { assertKnownRules, parseNetwork, type Network } from '@roundhouse/chain';
import { readRecording, recordingFile } from '@roundhouse/testing';
import type { RawSource } from '../block-source.js';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';
import { refusal } from '../refusal.harness.js';
import { AgreedNetwork } from './agreed-network.js';
import type { Announcement } from './source-network.js';
import { CheckedSource } from './checked-source.js';

const chain = readRecording('core-2.4', 'chain.ndjson.gz').map(decodeBlock);

const configuration = JSON.parse(readFileSync(recordingFile('core-2.4', 'network.json'), 'utf8')) as {
  readonly milestones: readonly object[];
};

/** As a node's API reports a configuration: refused if it has rules that the index does not have. */
const tellAs = (config: unknown): Promise<Network> => {
  try {
    assertKnownRules(config);
    return Promise.resolve(parseNetwork(config));
  } catch (cause) {
    const message = `the node reports a network that cannot be used: ${(cause as Error).message}`;
    return Promise.reject(new NodeProtocolError('the node', message, { cause }));
  }
};

describe('a source that announces unknown rules', () => {
  let told: unknown;
  let isAway: boolean;
  let announcements: Announcement[];
  let source: CheckedSource;

  beforeEach(() => {
    told = configuration;
    isAway = false;
    announcements = [];
    const node: RawSource = {
      name: 'the node',
      network: () => tellAs(told),
      tip: () =>
        isAway
          ? Promise.reject(new NodeUnavailableError('the node', 'refused', 'it is away'))
          : Promise.resolve(chain.at(-1)!),
      blocks: (from, to) => Promise.resolve(chain.slice(from - 1, to)),
      close: () => Promise.resolve(),
    };
    const agreed = new AgreedNetwork({ configured: null, accept: () => Promise.resolve() });
    const onAnnouncement = (announcement: Announcement) => announcements.push(announcement);
    source = new CheckedSource(node, agreed, 'hash', () => undefined, onAnnouncement);
  });

  /** The source asks for the network again after a failure. */
  const upgrade = async (...milestones: object[]): Promise<void> => {
    told = { ...configuration, milestones: [...configuration.milestones, ...milestones] };
    isAway = true;
    await expect(source.tip()).rejects.toThrow('it is away');
    isAway = false;
  };

  it('is refused if it announces them from the beginning', async () => {
    told = { ...configuration, milestones: [...configuration.milestones, { height: 200, tax: 5 }] };
    await expect(source.network()).rejects.toThrow(/tax from height 200/);
    await expect(source.blocks(1, 2)).rejects.toThrow(/tax from height 200/);
    expect(announcements).toEqual([]);
  });

  it('gives all blocks below them, says so once, and refuses those from there on', async () => {
    await source.blocks(1, 10);
    await upgrade({ height: 200, tax: 5 }, { height: 250, burn: {} });
    expect(await source.tip()).toBe(chain.at(-1));
    expect(await source.blocks(11, 199)).toEqual(chain.slice(10, 199));
    expect(await source.blockAt(199)).toEqual(chain[198]);
    const wrong = refusal(/tax from height 200, burn from height 250/, { height: 200 });
    await expect(source.blocks(190, 205)).rejects.toMatchObject(wrong);
    await expect(source.blocks(210, 212)).rejects.toMatchObject({ height: 210 });
    expect(announcements).toEqual([
      { source: 'the node', from: 200, reason: expect.stringContaining('tax from height 200') },
    ]);
  });

  it('is used as before when it no longer announces them', async () => {
    await source.blocks(1, 10);
    await upgrade({ height: 200, tax: 5 });
    await expect(source.blocks(190, 205)).rejects.toThrow('tax');
    await upgrade();
    expect(await source.blocks(190, 205)).toEqual(chain.slice(189, 205));
    expect(announcements.map(({ from }) => from)).toEqual([200, null]);
  });

  it('is refused if nothing valid is below them', async () => {
    await source.blocks(1, 10);
    told = { ...configuration, milestones: [{ ...configuration.milestones[0], tax: 5 }] };
    isAway = true;
    await expect(source.tip()).rejects.toThrow('it is away');
    await expect(source.blocks(1, 2)).rejects.toThrow(/tax from height 1/);
  });
});
