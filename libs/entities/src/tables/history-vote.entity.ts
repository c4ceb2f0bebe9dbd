import { LASTING, type VotePeriod } from '@roundhouse/chain';
import { Entity, Index } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('history_votes', {
  comment:
    'The account voted for the delegate with this public key after the blocks from from_height to until_height - 1. Empty without history.',
})
@Index('ix_history_votes__vote', ['vote', 'fromHeight'])
export class HistoryVoteEntity implements VotePeriod {
  @PrimaryColumn('integer', { comment: 'Number in accounts.' }) account: number;
  @PrimaryColumn('integer') fromHeight: number;
  @Column('integer', { comment: `${LASTING} while the vote lasts.` }) untilHeight: number;
  @Column('text', { collation: 'C', comment: 'That of the account: lists of voters need it.' })
  address: string;
  @Column('bytea', { form: 'hex' }) vote: string;
}
