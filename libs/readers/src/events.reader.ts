import { EXACT_TYPES } from '@roundhouse/entities/sql';
import { asUnavailable } from './database-unavailable.error.js';
import type { NamedQuery, ReaderPool } from './reader-pool.js';

/** A change of the head; docs/events.md has the shapes. */
export interface ChainEvent {
  /** Later events have larger numbers, even after a reset. */
  readonly sequence: bigint;
  readonly kind: 'head' | 'round' | 'fork';
  /** JSON without a line break. */
  readonly data: string;
}

/** $1: the first sequence number. */
const SELECT_EVENTS: NamedQuery = {
  name: 'events',
  text: `SELECT sequence, kind, data::text AS data FROM events WHERE sequence >= $1 ORDER BY sequence`,
};

export class EventsReader {
  constructor(private readonly pool: ReaderPool) {}

  /** The stored events from `sequence` on, oldest first. Throws `DatabaseUnavailableError`. */
  async listEventsFrom(sequence: bigint): Promise<ChainEvent[]> {
    const statement = { ...SELECT_EVENTS, types: EXACT_TYPES, values: [String(sequence)] };
    const { rows } = await this.pool.query(statement).catch((error: unknown) => {
      throw asUnavailable(error);
    });
    return rows as ChainEvent[];
  }
}
