import type { MisplacedBlock } from '@roundhouse/chain';
import { Entity } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('misplaced_blocks', {
  comment: 'Blocks that FORGERS=active accepted although their forger has its slot in no list.',
})
export class MisplacedBlockEntity implements MisplacedBlock {
  @PrimaryColumn('integer') height: number;
  @Column('integer') round: number;
}
