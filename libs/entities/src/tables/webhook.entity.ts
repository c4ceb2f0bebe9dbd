import { Entity } from 'typeorm';
import { Added, Column, Local, PrimaryColumn } from '../decorators.js';

@Entity('webhooks', {
  comment: 'Who is told of events, and how far. Not part of the chain: a reset keeps it.',
})
export class WebhookEntity {
  @PrimaryColumn('text') id: string;
  @Column('text') event: string;
  @Column('text') target: string;
  @Column('boolean') enabled: boolean;
  @Column('json') conditions: unknown;
  @Column('text', { comment: 'The first half of the token, which each post carries.' }) token: string;
  @Column('bytea', { comment: 'SHA-256 of the other half, which is stored nowhere.' }) tokenRest: Buffer;
  @Column('bigint', {
    comment: 'The sequence of the last event that was posted, or that it did not ask for.',
  })
  delivered: bigint;
  @Column('bigint', {
    comment: 'Events that waited for it and were dropped, because too many waited.',
  })
  dropped: bigint;
  @Local() @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', {
    nullable: true,
    comment: 'When the next event is posted again. Null unless the last post failed.',
  })
  retryAt: Date | null;
  @Column('integer', { comment: 'Posts that failed since the last one that was accepted.' })
  failures: number;
  @Added()
  @Column('integer', {
    nullable: true,
    comment: 'The head when the index was reset: it is told of no block up to it again. Null before a reset.',
  })
  toldHeight: number | null;
  @Added() @Column('text', { nullable: true, comment: 'The chain of told_height.' }) toldNethash:
    string | null;
}
