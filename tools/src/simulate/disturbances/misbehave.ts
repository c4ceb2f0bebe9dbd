import { setTimeout as wait } from 'node:timers/promises';
import { ALL_LIES, isAcceptedLie, isLie, type SeededRandom } from '@roundhouse/testing';
import type { StackPlan } from '../plan/stack-plan.js';
import type { MisbehaviourOrder } from '../world/devnet.js';
import type { Circumstances, Draw } from './disturbance.js';

type Verify = StackPlan['verify'];
type DrawOrder = (random: SeededRandom, circumstances: Circumstances) => MisbehaviourOrder;

const depthFor = (random: SeededRandom, { height }: Circumstances, most: number): number =>
  Math.min(random.between(1, most), Math.max(height - 5, 1));

/** The numbers of blocks that a node claims in addition to those it has. */
const CLAIMS = [2, 1_000, 1_000_000];

/** Correctly signed blocks that break a rule of the chain. They are rejected with every `VERIFY`. */
const unlawful = Object.fromEntries(
  ['stranger', 'forger', 'reward', 'version'].map((breach) => [
    `unlawful-${breach}`,
    (): MisbehaviourOrder => ({ kind: 'unlawful', breach }),
  ]),
);

/** Lies that only signatures show. */
const ONLY_SIGNATURES = ['unsigned', 'members-disagree'];

/** After an unlawful block the node tells a lie, chosen by the height so that no seed's plan changes. */
const ordersOf = (
  order: MisbehaviourOrder,
  { height }: Circumstances,
  verify: Verify,
): readonly MisbehaviourOrder[] => {
  const lies = Object.keys(ALL_LIES).filter((lie) => verify === 'full' || !ONLY_SIGNATURES.includes(lie));
  return order.kind === 'unlawful'
    ? [order, { kind: 'unlawful', breach: lies[height % lies.length]! }]
    : [order];
};

const LIES = ['recipient', 'amount', 'type', 'username', 'lock', 'payments', 'nul-recipient', 'nul-username'];

/** Other contents under correct ids. They are rejected with every `VERIFY`. */
const lyingContents = Object.fromEntries(
  LIES.map((changes) => [
    `lying-contents-${changes}`,
    (): MisbehaviourOrder => ({ kind: 'lying-contents', changes }),
  ]),
);

const ORDERS: Readonly<Record<string, DrawOrder>> = {
  down: () => ({ kind: 'down' }),
  hanging: () => ({ kind: 'hanging' }),
  slow: (random) => ({ kind: 'slow', delayMs: random.between(200, 1_500) }),
  tooManyRequests: (random) => ({ kind: 'failing', status: 429, retryAfter: random.between(0, 2) }),
  serverError: (random) => ({ kind: 'failing', status: random.pick([500, 502, 503]) }),
  rateLimit: (random) => ({
    kind: 'rate-limit',
    requests: random.between(1, 20),
    windowMs: random.between(500, 2_500),
  }),
  truncated: () => ({ kind: 'truncated' }),
  cutOff: () => ({ kind: 'cut-off' }),
  invalidJson: () => ({ kind: 'invalid-json' }),
  endlessPages: () => ({ kind: 'endless-pages' }),
  endlessBody: () => ({ kind: 'endless-body' }),
  gap: (random) => ({ kind: 'gap', count: random.between(1, 2) }),
  wrongOrder: (random) => ({ kind: 'wrong-order', count: random.between(1, 2) }),
  wrongId: () => ({ kind: 'wrong-id' }),
  wrongPayloadHash: () => ({ kind: 'wrong-payload-hash' }),
  wrongSignature: () => ({ kind: 'wrong-signature' }),
  boasting: (random) => ({ kind: 'boasting', by: random.pick(CLAIMS), serves: true }),
  boastingEmptyHanded: (random) => ({ kind: 'boasting', by: random.pick(CLAIMS), serves: false }),
  ...unlawful,
  ...lyingContents,
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

/** The next source replaces one whose lie is refused: the index does not wait for the end of the lie. */
const isRefused = ({ kind, breach }: MisbehaviourOrder): boolean =>
  ['boasting', 'unlawful', 'lying-contents'].includes(kind) &&
  !(typeof breach === 'string' && isLie(breach) && isAcceptedLie(breach));

/** Far more pages than the transactions of the longest range need. */
const MOST_PAGES = 30;

/** An endless answer needs some time to become large. */
const ENDLESS_MS = 3_000;

const drawFor =
  (drawOrder: DrawOrder, verify: Verify): Draw =>
  (random, circumstances) => {
    const order = drawOrder(random, circumstances);
    const forMs = random.between(300, 2_500) + (order.kind.startsWith('endless') ? ENDLESS_MS : 0);
    const blocks = random.between(1, 6);
    const orders = ordersOf(order, circumstances, verify);
    return {
      line: `node ${orders.map(describe).join(', then ')}, for ${forMs} ms, with ${blocks} new blocks`,
      hold: 'node',
      run: async (world) => {
        const { devnet } = world;
        for (const each of orders) {
          while (!(await devnet.misbehave(each))) await devnet.forge(1);
          await devnet.forge(blocks);
          await wait(forMs);
          if (world.options.plan.sources !== 'one' && isRefused(each)) await world.catchUp();
          await devnet.behave();
        }
        if (devnet.head.largestPage > MOST_PAGES)
          world.found(`page ${devnet.head.largestPage} of a list was requested, but no list has that many`);
      },
    };
  };

/** One draw for each misbehaviour of a node. A wrong signature is only noticed if signatures are verified. */
export const misbehavioursFor = (verify: Verify): readonly Draw[] =>
  Object.entries(ORDERS)
    .filter(([name]) => verify === 'full' || name !== 'wrongSignature')
    .map(([, drawOrder]) => drawFor(drawOrder, verify));
