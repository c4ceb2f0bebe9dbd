import { Check, Column, Entity } from 'typeorm';

@Entity('events', {
  comment:
    'What became of the head, newest last; written with each move of it, and the oldest dropped. No part of the chain.',
})
@Check('events_kind_check', `kind IN ('head', 'round', 'fork')`)
export class EventEntity {
  @Column({
    type: 'bigint',
    primary: true,
    primaryKeyConstraintName: 'pk_events',
    comment:
      'Microseconds since 1970, or one more than the event before: it grows over resets and new databases, too.',
  })
  sequence: string;

  @Column({ type: 'text' })
  kind: 'head' | 'round' | 'fork';

  /** Ready to be sent: see docs/events.md. */
  @Column({ type: 'json' })
  data: unknown;
}
