import type { ClientBase } from 'pg';
import { FORGER_MISSING, type WebhookEvent } from './events-of-block.js';
import { readRoundWallets, type RoundWallets } from './round-wallets.js';

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

/** Writes events of a transaction that has moved the head. */
export const tellWebhooks = async (client: ClientBase, events: readonly WebhookEvent[]): Promise<void> => {
  if (events.length > 0) await insertEvents(client, await completed(client, events));
};
