import { asRead } from '@roundhouse/blocks';
import { slotsOfBlock, type Block, type Ledger, type MilestoneSchedule } from '@roundhouse/chain';
import { queryRows } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { readNetwork } from '../status/network-row.js';
import { storedBlocks } from '../verify/stored-blocks.js';
import type { WriteStep } from '../writer/change-steps.js';
import type { ReadRows } from '../writer/load-working-set.js';
import { eventsOfBlock, eventsOfUndone, FORGER_MISSING, type WebhookEvent } from './events-of-block.js';
import { readRoundWallets, type RoundWallets } from './round-wallets.js';

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

const dataOf = ({ event, walletsOf }: WebhookEvent, { forgers, all }: RoundWallets): unknown => {
  if (walletsOf?.publicKey === undefined) return forgers;
  const wallet = all.get(walletsOf.publicKey)!;
  return { delegate: event === FORGER_MISSING ? { ...wallet, events: undefined } : wallet };
};

/** Fills in what only the tables hold. */
const completed = async (
  client: ClientBase,
  events: readonly WebhookEvent[],
): Promise<readonly WebhookEvent[]> => {
  const keysOf = new Map<number, string[]>();
  for (const { walletsOf } of events) {
    if (walletsOf === undefined) continue;
    const { firstHeight, publicKey } = walletsOf;
    const keys = keysOf.get(firstHeight) ?? [];
    keysOf.set(firstHeight, publicKey === undefined ? keys : [...keys, publicKey]);
  }
  const rounds = new Map<number, RoundWallets>();
  for (const [firstHeight, keys] of keysOf)
    rounds.set(firstHeight, await readRoundWallets(client, firstHeight, keys));
  return events.map((each) =>
    each.walletsOf === undefined
      ? each
      : { ...each, data: JSON.stringify(dataOf(each, rounds.get(each.walletsOf.firstHeight)!)) },
  );
};

/** Which blocks webhooks are told of. */
export type Announces = (block: Block, milestones: MilestoneSchedule) => boolean;

/** Collects what webhooks are told of the blocks of a batch. */
export class Outbox {
  private events: WebhookEvent[] = [];
  /** Read at the beginning of each batch; null before it. */
  private wanted: ReadonlySet<string> | null = null;

  constructor(
    private readonly read: ReadRows,
    private readonly announces: Announces,
  ) {}

  /** Call this before the block is applied, with the ledger whose head is the block below. */
  async add(ledger: Ledger, block: Block): Promise<void> {
    if (!this.announces(block, ledger.milestones)) return;
    this.wanted ??= await readWanted(this.read);
    if (this.wanted.size === 0) return;
    this.events.push(...eventsOfBlock(block, ledger.network, this.wanted, slotsOfBlock(ledger, block)));
  }

  /** The step that writes them, if there are any. It must follow the move of the head. Begins the next batch. */
  take(client: ClientBase): WriteStep[] {
    const { events } = this;
    this.events = [];
    this.wanted = null;
    if (events.length === 0) return [];
    const sizeBytes = events.reduce((size, { data }) => size + (data?.length ?? 0), 0);
    return [{ run: async () => insertEvents(client, await completed(client, events)), sizeBytes }];
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
