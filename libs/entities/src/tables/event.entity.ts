import { Check, Entity } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('events', {
  comment:
    'The changes of the head, newest last. Each move of the head adds its events and drops the oldest ones. Not part of the chain.',
})
@Check('events_kind_check', `kind IN ('head', 'round', 'fork')`)
export class EventEntity {
  @PrimaryColumn('bigint', {
    comment:
      'Microseconds since 1970, or one more than the previous event, so it also grows across resets and new databases.',
  })
  sequence: bigint;
  @Column('text') kind: string;
  /** Ready to be sent: see docs/events.md. */
  @Column('json') data: unknown;
}
