import { readFile, writeFile } from 'node:fs/promises';
import { MilestoneSchedule, NetworkConfigError } from '@roundhouse/chain';
import { newFolders } from '../folder.harness.js';
import { loadNetwork } from './load-network.js';

describe('loadNetwork', () => {
  it.each([
    ['mainnet', 23, '6e84d08bd299ed97c212c886c98a57e36545c8f5d645ca7eeae63a8bd62d8988', 200000000n],
    ['devnet', 30, '2a44f340d76ffc3df204c5f38cd355b7496c9065a1ade2ef92071436bd72e867', 200000000n],
    ['testnet', 23, 'd9acd04bde4234a81addb8482333b4ac906bed7be5a9970ce8ada428bd083192', 200000000n],
  ])('knows the preset %s', async (name, pubKeyHash, nethash, reward) => {
    const network = await loadNetwork(name);
    expect(network).toMatchObject({ name, pubKeyHash, nethash });
    expect(new MilestoneSchedule(network.milestones).at(1_000_000_000).reward).toBe(reward);
  });

  it('merges the milestones of mainnet deeply: full ids stay on when another key of "block" changes', async () => {
    const { milestones } = await loadNetwork('mainnet');
    const schedule = new MilestoneSchedule(milestones);
    const isFull = [8_203_999, 8_204_000, 9_000_000].map((height) => schedule.at(height).idFullSha256);
    expect(isFull).toEqual([false, true, true]);
  });

  describe('with a file', () => {
    const inFolder = newFolders();
    const written = async (text: string): Promise<string> => {
      await writeFile(inFolder('network.json'), text);
      return inFolder('network.json');
    };

    it('reads a configuration with amounts past 2^53', async () => {
      const staticFees = '{"transfer":1,"secondSignature":2,"delegateRegistration":9007199254740993}';
      const file = await written(
        `{"network":{"name":"own","pubKeyHash":30,"nethash":"${'a'.repeat(64)}","client":{"token":"T","symbol":"t",
        "explorer":"e"}},"milestones":[{"height":1,"reward":9007199254740995,"activeDelegates":51,"blocktime":8,
        "epoch":"2017-03-21T13:00:00.000Z","fees":{"staticFees":${staticFees}}}],"exceptions":{}}`,
      );
      const constants = new MilestoneSchedule((await loadNetwork(file)).milestones).at(1);
      expect(constants.reward).toBe(9007199254740995n);
      expect(constants.staticFees.delegateRegistration).toBe(9007199254740993n);
    });

    it('refuses rules that cannot be indexed, also if the configuration has other mistakes', async () => {
      const file = await written(
        '{"network":{"name":"solar"},"milestones":[{"height":1,"blockTime":8,"burn":{}}]}',
      );
      await expect(loadNetwork(file)).rejects.toThrow(
        /network\.json, which cannot be used: It has rules that Roundhouse does not know: blockTime from height 1 .*, burn from height 1 /,
      );
    });

    it('names the file and its problem', async () => {
      const file = await written('{"network":{}}');
      await expect(loadNetwork(file)).rejects.toThrow(
        `NETWORK names ${file}, which cannot be used: A network configuration is`,
      );
      const preset = await readFile(new URL('../../presets/testnet.json', import.meta.url), 'utf8');
      await written(JSON.stringify({ ...JSON.parse(preset), exceptions: { blocks: {} } }));
      await expect(loadNetwork(file)).rejects.toThrow(
        `NETWORK names ${file}, which cannot be used: The network configuration needs a list at "exceptions.blocks". Correct the file`,
      );
      await written('{"network":');
      const broken = loadNetwork(file);
      await expect(broken).rejects.toThrow(NetworkConfigError);
      await expect(broken).rejects.toThrow(
        /^NETWORK names \S+network\.json, which cannot be used: It is not JSON \(.+\)\. Correct the file, or name another one\.$/,
      );
    });
  });

  it('lists the valid names if nothing is found', async () => {
    await expect(loadNetwork('mainnnet')).rejects.toThrow(
      'NETWORK names "mainnnet", which is neither one of mainnet, devnet, testnet nor a file that can be read (ENOENT): name',
    );
  });
});
