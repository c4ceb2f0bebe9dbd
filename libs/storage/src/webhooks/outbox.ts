import { asRead } from '@roundhouse/blocks';
import { roundOf, type Block, type Ledger } from '@roundhouse/chain';
import { queryRows } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { readNetwork } from '../status/network-row.js';
import { storedBlocks } from '../verify/stored-blocks.js';
import type { WriteStep } from '../writer/change-steps.js';
import type { ReadRows } from '../writer/load-working-set.js';
import { eventsOfBlock, eventsOfUndone, ROUND_CREATED, type WebhookEvent } from './events-of-block.js';
import { readRoundWallets } from './round-wallets.js';

/** The events that webhooks ask for. */
const readWanted = async (read: ReadRows): Promise<ReadonlySet<string>> => {
  const rows = await read<{ event: string }>('SELECT DISTINCT event FROM webhooks WHERE enabled', []);
  return new Set(rows.map(({ event }) => event));
};

// Only the transaction that holds the head's row inserts, so sequences grow in the order of the commits. They begin above those
// that webhooks have seen, also when nothing waits.
const INSERT_EVENTS = `
INSERT INTO webhook_events (sequence, event, data)
SELECT (SELECT greatest((SELECT max(sequence) FROM webhook_events), (SELECT max(delivered) FROM webhooks), 0)) + place,
  event, data
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS told (event, data, place)`;

const insertEvents = (client: ClientBase, events: readonly WebhookEvent[]): Promise<unknown> =>
  client.query(INSERT_EVENTS, [events.map(({ event }) => event), events.map(({ data }) => data)]);

/** Fills in what only the tables hold: of a round, if the batch ends where it begins. */
const completed = async (
  client: ClientBase,
  events: readonly WebhookEvent[],
  endsRound: boolean,
): Promise<readonly WebhookEvent[]> => {
  const newest = events.findLastIndex(({ event }) => event === ROUND_CREATED);
  if (newest === -1) return events;
  const data = endsRound ? await readRoundWallets(client) : null;
  return events
    .map((each, place) => (place === newest ? { ...each, data } : each))
    .filter(({ event, data: known }) => event !== ROUND_CREATED || known !== null);
};

/** Which blocks webhooks are told of, by height. */
export type Announces = (height: number) => boolean;

/** Collects what webhooks are told of the blocks of a batch. */
export class Outbox {
  private events: WebhookEvent[] = [];
  /** Read at the beginning of each batch; null before it. */
  private wanted: ReadonlySet<string> | null = null;
  /** Whether the newest block ends a round of which somebody wants to be told: the batch should end with it. */
  endsRound = false;

  constructor(
    private readonly read: ReadRows,
    private readonly announces: Announces,
  ) {}

  /** How many of the next blocks a batch may take, so that it ends with a round of which somebody wants to be told. */
  async most({ milestones, head }: Ledger): Promise<number> {
    const height = (head?.height ?? 0) + 1;
    if (!this.announces(height) || !(await this.wants()).has(ROUND_CREATED)) return Infinity;
    return roundOf(milestones, height).lastHeight - height + 1;
  }

  async add({ milestones, network }: Ledger, blocks: readonly Block[]): Promise<void> {
    const told = blocks.filter(({ height }) => this.announces(height));
    if (told.length === 0) return;
    const wanted = await this.wants();
    if (wanted.size === 0) return;
    for (const block of told) {
      const endsRound = roundOf(milestones, block.height).lastHeight === block.height;
      this.endsRound = endsRound && wanted.has(ROUND_CREATED);
      this.events.push(...eventsOfBlock(block, network, wanted, endsRound));
    }
  }

  /** The step that writes them, if there are any. It must follow the move of the head. Begins the next batch. */
  take(client: ClientBase): WriteStep[] {
    const { events, endsRound } = this;
    this.events = [];
    this.wanted = null;
    this.endsRound = false;
    if (events.length === 0) return [];
    const sizeBytes = events.reduce((size, { data }) => size + (data?.length ?? 0), 0);
    return [{ run: async () => insertEvents(client, await completed(client, events, endsRound)), sizeBytes }];
  }

  private async wants(): Promise<ReadonlySet<string>> {
    return (this.wanted ??= await readWanted(this.read));
  }
}

/** The events of the blocks above `height`, newest first; none if no webhook wants any. Call it before they are undone. */
export const readUndone = async (client: ClientBase, height: number): Promise<WebhookEvent[]> => {
  const wanted = await readWanted((sql, values) => queryRows(client, sql, values));
  const stored = wanted.size === 0 ? null : await readNetwork(client);
  if (stored === null) return [];
  const parts: WebhookEvent[][] = [];
  for await (const blocks of storedBlocks(client, { above: height }))
    for (const block of blocks) parts.push(eventsOfUndone(asRead(block), stored.network, wanted));
  return parts.reverse().flat();
};

/** Writes events of a transaction that has moved the head. */
export const tellWebhooks = async (client: ClientBase, events: readonly WebhookEvent[]): Promise<void> => {
  if (events.length > 0) await insertEvents(client, events);
};
