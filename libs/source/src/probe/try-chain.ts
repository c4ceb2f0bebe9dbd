import {
  admitForger,
  applyBlock,
  Ledger,
  MilestoneSchedule,
  roundOf,
  type Block,
  type ForgerRule,
  type Network,
  type Rules,
} from '@roundhouse/chain';
import { PAGE_LIMIT } from '../core-api/core-line.js';
import { NodeProtocolError } from '../errors/node-errors.js';
import type { KnownBlocks } from './known-blocks.js';
import type { Tried } from './source-report.js';

/** More delegates than any known chain has; a longer round is tried in part. */
const MOST_FIRST_BLOCKS = 400;
const MOST_CHANGES = 20;
const PLACES = 4;
const BLOCKS_AT_PLACE = 20;

/** A public node grants 100 a minute, and the rest of the probe takes some. Changes leave some for the places. */
const MOST_REQUESTS = 16;
const MOST_REQUESTS_FOR_CHANGES = 10;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Trial {
  readonly blocks: KnownBlocks;
  readonly height: number;
  readonly network: Network;
  readonly forgers: ForgerRule;
  readonly rules: Rules;
  /** How many requests the source has had. */
  readonly requests: () => number;
}

/** As an indexer does. */
const applyNext = (
  ledger: Ledger,
  block: Block,
  source: string,
  { forgers, rules }: Pick<Trial, 'forgers' | 'rules'>,
): void => {
  try {
    admitForger(ledger, block, forgers);
    applyBlock(ledger, block, false, { rules });
  } catch (cause) {
    throw new NodeProtocolError(
      source,
      `Block ${block.height} from ${source} cannot be applied: ${(cause as Error).message}. An indexer ends below it. Compare ` +
        `the block with another node's; if they agree, check NETWORK (its milestones and exceptions).`,
      { cause, height: block.height },
    );
  }
};

/** The heights of the newest changes of rules; height 1 is tried with the first blocks. */
const changesBelow = ({ milestones }: Network, tip: number): number[] =>
  [...new Set(milestones.map(({ height }) => height))]
    .filter((height) => height > 1 && height <= tip)
    .sort((a, b) => b - a)
    .slice(0, MOST_CHANGES);

/** The middles of equal parts of the chain: none of them is where the speed is measured. */
const placesIn = (height: number): number[] =>
  Array.from({ length: PLACES }, (_, i) => Math.max(1, Math.floor((height * (2 * i + 1)) / (2 * PLACES))));

/**
 * Tries what decides whether an indexer gets on: the first round in a ledger, the blocks around changes of rules, and
 * blocks in between with their transactions. Counts in `tried`. Throws `NodeProtocolError` for the first wrong block.
 */
export const tryChain = async (
  { blocks, height, network, forgers, rules, requests }: Trial,
  tried: Mutable<Tried>,
): Promise<void> => {
  const before = requests();
  const milestones = new MilestoneSchedule(network.milestones);
  // Throws if a milestone changes the number of delegates within a round.
  roundOf(milestones, height);
  const last = Math.min(height, roundOf(milestones, 1).lastHeight + 1, MOST_FIRST_BLOCKS);
  // From the genesis block to the first block of round 2.
  const ledger = Ledger.empty(network);
  for (let next = 1; next <= last; next += PAGE_LIMIT) {
    for (const block of await blocks.read(next, Math.min(last, next + PAGE_LIMIT - 1))) {
      applyNext(ledger, block, blocks.source, { forgers, rules });
      tried.firstBlocks = block.height;
    }
  }
  for (const change of changesBelow(network, height)) {
    const [from, to] = [change - 1, Math.min(height, change + 1)];
    if (!blocks.knows(from, to) && requests() - before >= MOST_REQUESTS_FOR_CHANGES) continue;
    await blocks.read(from, to);
    tried.ruleChanges += 1;
  }
  for (const place of placesIn(height)) {
    const to = Math.min(height, place + BLOCKS_AT_PLACE - 1);
    if (!blocks.knows(place, to) && requests() - before >= MOST_REQUESTS) continue;
    await blocks.read(place, to);
    tried.places += 1;
  }
};
