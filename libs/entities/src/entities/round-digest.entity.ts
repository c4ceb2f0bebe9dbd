import { Entity } from 'typeorm';
import { IntegerColumn, IntegerKey, TextColumn } from './columns.js';

@Entity('round_digests', {
  comment:
    'What the derived tables came to after the last block of each round: equal in two indexes where their states are.',
})
export class RoundDigestEntity {
  @IntegerKey('round', 'pk_round_digests')
  round: number;

  @IntegerColumn('height')
  height: number;

  @TextColumn('accounts')
  accounts: string;

  @TextColumn('delegates')
  delegates: string;

  @TextColumn('locks')
  locks: string;

  @TextColumn('digest')
  digest: string;
}
