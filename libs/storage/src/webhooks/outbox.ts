import { asRead } from '@roundhouse/blocks';
import { slotsOfBlock, type Block, type Ledger, type RoundSoFar } from '@roundhouse/chain';
import { queryRows } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { readNetwork } from '../status/position.js';
import { storedBlocks } from '../verify/stored-blocks.js';
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

/** A block that webhooks are told of, and where the ledger was before it. */
export interface Announced {
  readonly block: Block;
  readonly ledger: Ledger;
  readonly before: RoundSoFar;
}

/** Writes what webhooks want to know of these blocks. */
export const tellOfBlocks = async (client: ClientBase, announced: readonly Announced[]): Promise<void> => {
  const wanted = await readWanted(client);
  const eventsOf = ({ block, ledger, before }: Announced): WebhookEvent[] =>
    eventsOfBlock(block, ledger.network, wantedAt(wanted, block.height), slotsOfBlock(ledger, before, block));
  await tellWebhooks(client, announced.flatMap(eventsOf));
};

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
