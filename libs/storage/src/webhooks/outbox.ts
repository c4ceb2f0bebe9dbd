import { asRead } from '@roundhouse/blocks';
import { slotsOfBlock, type Block, type Ledger, type MilestoneSchedule } from '@roundhouse/chain';
import { queryRows } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { readNetwork } from '../status/position.js';
import { storedBlocks } from '../verify/stored-blocks.js';
import type { WriteStep } from '../writer/change-steps.js';
import { eventsOfBlock, eventsOfUndone, type WebhookEvent } from './events-of-block.js';
import { tellWebhooks } from './tell-webhooks.js';

/** Events that webhooks ask for → the height up to which they were told of them before a reset; 0 if there was none. */
type Wanted = ReadonlyMap<string, number>;

const SELECT_WANTED = `
SELECT event, coalesce(max(told_height) FILTER (WHERE nethash IS NOT NULL), 0) AS "toldHeight"
FROM webhooks LEFT JOIN network ON nethash = told_nethash WHERE enabled GROUP BY event`;

const readWanted = async (client: ClientBase): Promise<Wanted> => {
  const rows = await queryRows<{ event: string; toldHeight: number }>(client, SELECT_WANTED);
  return new Map(rows.map(({ event, toldHeight }) => [event, toldHeight]));
};

/** The events that are wanted of the block at this height. */
const wantedAt = (wanted: Wanted, height: number): ReadonlySet<string> =>
  new Set([...wanted].filter(([, toldHeight]) => toldHeight < height).map(([event]) => event));

/** Which blocks webhooks are told of. */
export type Announces = (block: Block, milestones: MilestoneSchedule) => boolean;

/** Roughly how much memory a block takes while it waits. */
const BLOCK_BYTES = 4_000;

/** Collects what webhooks are told of the blocks of a batch. */
export class Outbox {
  private told: ((wanted: Wanted) => WebhookEvent[])[] = [];

  constructor(private readonly announces: Announces) {}

  /** Call this before the block is applied, with the ledger whose head is the block below. */
  add(ledger: Ledger, block: Block): void {
    const { milestones, network } = ledger;
    if (!this.announces(block, milestones)) return;
    const slots = slotsOfBlock(ledger, block);
    this.told.push((wanted) => eventsOfBlock(block, network, wantedAt(wanted, block.height), slots()));
  }

  /**
   * The step that writes it, if there is anything. It must follow the move of the head: from then until the commit nobody registers, so
   * webhooks from before are told of the whole batch, and later ones of nothing. Begins the next batch.
   */
  take(client: ClientBase): WriteStep[] {
    const { told } = this;
    this.told = [];
    if (told.length === 0) return [];
    const run = async (): Promise<void> => {
      const wanted = await readWanted(client);
      if (wanted.size > 0)
        await tellWebhooks(
          client,
          told.flatMap((eventsOf) => eventsOf(wanted)),
        );
    };
    return [{ run, sizeBytes: BLOCK_BYTES * told.length }];
  }
}

/** The events of the blocks above `height`, newest first; none if no webhook wants any. Call it before they are undone. */
export const readUndone = async (client: ClientBase, height: number): Promise<WebhookEvent[]> => {
  const wanted = await readWanted(client);
  const stored = wanted.size === 0 ? null : await readNetwork(client);
  if (stored === null) return [];
  const parts: WebhookEvent[][] = [];
  for await (const blocks of storedBlocks(client, { above: height }))
    for (const block of blocks)
      parts.push(eventsOfUndone(asRead(block), stored.network, wantedAt(wanted, block.height)));
  return parts.reverse().flat();
};
