import { named, Reader, rowsOf } from './at-head.js';

/** A change of the head; docs/events.md has the shapes. */
export interface ChainEvent {
  /** Later events have larger numbers, even after a reset. */
  readonly sequence: bigint;
  readonly kind: 'head' | 'round' | 'fork';
  /** JSON without a line break. */
  readonly data: string;
}

/** $1: the first sequence number. */
const SELECT_EVENTS = named(
  'events',
  'SELECT sequence, kind, data::text AS data FROM events WHERE sequence >= $1 ORDER BY sequence',
);

export class EventsReader extends Reader {
  /** The stored events from `sequence` on, oldest first, at no particular head. Throws `DatabaseUnavailableError`. */
  listEventsFrom(sequence: bigint): Promise<ChainEvent[]> {
    return rowsOf<ChainEvent>(this.pool, SELECT_EVENTS, [String(sequence)]);
  }
}
