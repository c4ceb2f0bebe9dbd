import { Script } from 'node:vm';
import { jest } from '@jest/globals';
import { meetsConditions } from './conditions.js';

const ID = '0123456789abcdef'.repeat(4);
/** Would take years for `ID`. */
const ENDLESS = { key: 'id', condition: 'regexp', value: '^([0-9a-f]+)+$!' };
const FITTING = { key: 'id', condition: 'regexp', value: '^0123' };
const event = JSON.stringify({ id: ID });

describe('conditions', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('with an endless regexp are not met, and cost less than 60 ms of a processor', async () => {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const begun = process.cpuUsage();
      expect(await meetsConditions(event, [ENDLESS, FITTING])).toBe(false);
      const { user, system } = process.cpuUsage(begun);
      times.push((user + system) / 1_000);
    }
    // Other threads of this process may work during some of them.
    expect(Math.min(...times)).toBeLessThan(60);
    expect(await meetsConditions(event, [FITTING])).toBe(true);
  });

  it('with a regexp are met although the machine paused for longer than it may take', async () => {
    jest.spyOn(Script.prototype, 'runInContext').mockImplementationOnce(() => {
      throw new Error('Script execution timed out after 10ms');
    });
    expect(await meetsConditions(event, [FITTING])).toBe(true);
  });

  it('let other work go on between them', async () => {
    const conditions = Array.from({ length: 20 }, () => ({ ...FITTING, value: '^x' }));
    let isDone = false;
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await meetsConditions(event, conditions)).toBe(false);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(conditions.length);
  });
});
