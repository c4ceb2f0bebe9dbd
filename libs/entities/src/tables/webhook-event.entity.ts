import { Entity, Index } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('webhook_events', {
  comment:
    'Events that wait for webhooks, written by the transaction that moves the head. Not part of the chain: a reset keeps it.',
})
@Index('ix_webhook_events__event', ['event', 'sequence'])
export class WebhookEventEntity {
  @PrimaryColumn('bigint') sequence: bigint;
  @Column('text') event: string;
  @Column('text', { nullable: true, comment: 'JSON as it is posted; null if the event has none.' })
  data: string | null;
}
