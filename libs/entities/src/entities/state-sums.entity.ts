import { Entity } from 'typeorm';
import { IntegerKey, TextColumn } from './columns.js';

@Entity('state_sums', {
  comment:
    'What round digests are made of, at the head and at each block that before-images reach down to; empty in an index that was begun without it.',
})
export class StateSumsEntity {
  @IntegerKey('height', 'pk_state_sums')
  height: number;

  @TextColumn('block_id')
  blockId: string;

  @TextColumn('accounts')
  accounts: string;

  @TextColumn('delegates')
  delegates: string;

  @TextColumn('locks')
  locks: string;
}
