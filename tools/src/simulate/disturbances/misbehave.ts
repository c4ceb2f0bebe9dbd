import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../plan/random.js';
import type { MisbehaviourOrder } from '../world/devnet.js';
import type { Circumstances, Draw } from './disturbance.js';

type DrawOrder = (random: Random, circumstances: Circumstances) => MisbehaviourOrder;

const depthFor = (random: Random, { height }: Circumstances, most: number): number =>
  Math.min(random.between(1, most), Math.max(height - 5, 1));

const ORDERS: Readonly<Record<string, DrawOrder>> = {
  down: () => ({ kind: 'down' }),
  hanging: () => ({ kind: 'hanging' }),
  slow: (random) => ({ kind: 'slow', delayMs: random.between(200, 1_500) }),
  tooManyRequests: (random) => ({ kind: 'failing', status: 429, retryAfter: random.between(0, 2) }),
  serverError: (random) => ({ kind: 'failing', status: random.pick([500, 502, 503]) }),
  truncated: () => ({ kind: 'truncated' }),
  cutOff: () => ({ kind: 'cut-off' }),
  invalidJson: () => ({ kind: 'invalid-json' }),
  gap: (random) => ({ kind: 'gap', count: random.between(1, 2) }),
  wrongOrder: (random) => ({ kind: 'wrong-order', count: random.between(1, 2) }),
  wrongId: () => ({ kind: 'wrong-id' }),
  wrongPayloadHash: () => ({ kind: 'wrong-payload-hash' }),
  wrongSignature: () => ({ kind: 'wrong-signature' }),
  otherNetwork: () => ({ kind: 'other-network' }),
  behind: (random, circumstances) => ({ kind: 'behind', depth: depthFor(random, circumstances, 60) }),
  backwards: (random, circumstances) => ({ kind: 'backwards', depth: depthFor(random, circumstances, 30) }),
  forksInTurn: (random, circumstances) => ({
    kind: 'forks-in-turn',
    depth: depthFor(random, circumstances, 30),
    each: random.between(1, 12),
  }),
};

const describe = ({ kind, ...rest }: MisbehaviourOrder): string =>
  [kind, ...Object.entries(rest).map(([name, value]) => `${name} ${value}`)].join(', ');

const drawFor =
  (drawOrder: DrawOrder): Draw =>
  (random, circumstances) => {
    const order = drawOrder(random, circumstances);
    const forMs = random.between(300, 2_500);
    return {
      line: `node ${describe(order)}, for ${forMs} ms`,
      hold: 'node',
      run: async ({ devnet }) => {
        await devnet.misbehave(order);
        await wait(forMs);
        await devnet.behave();
      },
    };
  };

/** One draw for each way in which a node may misbehave; a wrong signature is noticed only where signatures are verified. */
export const misbehavioursFor = (verify: 'hash' | 'full'): readonly Draw[] =>
  Object.entries(ORDERS)
    .filter(([name]) => verify === 'full' || name !== 'wrongSignature')
    .map(([, drawOrder]) => drawFor(drawOrder));
