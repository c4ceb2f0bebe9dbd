import { asUnavailable } from './database-unavailable.error.js';
import { SELECT_EVENTS } from './queries/event.queries.js';
import type { ReaderPool } from './reader-pool.js';

/** Something that became of the head; docs/events.md has the shapes. */
export interface ChainEvent {
  /** Later events have larger ones, whatever becomes of the index. */
  readonly sequence: bigint;
  readonly kind: 'head' | 'round' | 'fork';
  /** JSON without a line break. */
  readonly data: string;
}

interface EventRow {
  readonly sequence: string;
  readonly kind: ChainEvent['kind'];
  readonly data: string;
}

export class EventsReader {
  constructor(private readonly pool: ReaderPool) {}

  /** The events that are kept from `sequence` on, oldest first. Throws `DatabaseUnavailableError`. */
  async listEventsFrom(sequence: bigint): Promise<ChainEvent[]> {
    const statement = { ...SELECT_EVENTS, values: [String(sequence)] };
    const { rows } = await this.pool.query(statement).catch((error: unknown) => {
      throw asUnavailable(error);
    });
    return (rows as EventRow[]).map((row) => ({ ...row, sequence: BigInt(row.sequence) }));
  }
}
