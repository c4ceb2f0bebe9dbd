import { setTimeout as wait } from 'node:timers/promises';
import type { Output } from '../world/output.js';
import type { Program } from '../world/program.js';
import type { World } from '../world/world.js';
import type { Draw } from './disturbance.js';

/** A program whose log cannot be written keeps working, and ends when it is asked to. */
const loseLog = async (world: World, program: Program, output: Output, forMs: number): Promise<void> => {
  await program.stop();
  await program.start(output);
  const livesAtFirst = await program.comesAlive();
  await wait(forMs);
  const livesStill = livesAtFirst && (await program.comesAlive());
  const code = await program.stop();
  await program.start();
  const where = `with its log ${output === 'unread' ? 'unread' : 'on a full disk'}`;
  if (!livesStill) world.found(`${program.name} does not answer ${where}`);
  if (code === null) world.found(`${program.name} does not end when it is asked to ${where}`);
};

const logOf =
  (hold: 'indexers' | 'api', choose: (world: World, index: number) => Program): ((output: Output) => Draw) =>
  (output) =>
  (random) => {
    const index = random.between(0, 1);
    const forMs = random.between(500, 3_000);
    const name = hold === 'api' ? 'api' : `indexer ${index + 1}`;
    return {
      line: `log ${output === 'unread' ? 'unread' : 'on a full disk'}: ${name}, for ${forMs} ms`,
      hold,
      run: (world) => loseLog(world, choose(world, index), output, forMs),
    };
  };

const ofIndexer = logOf('indexers', ({ indexers }, index) => indexers[index]!);
const ofApi = logOf('api', ({ api }) => api);

export const lostLogs: readonly Draw[] = (['full disk', 'unread'] as const).flatMap((output) => [
  ofIndexer(output),
  ofApi(output),
]);
