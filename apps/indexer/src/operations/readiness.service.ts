import { Inject, Injectable } from '@nestjs/common';
import { schemaState } from '@roundhouse/entities';
import { inTime, ReadinessCheck } from '@roundhouse/operations';
import { readRefusedBlock } from '@roundhouse/storage';
import { Pool } from 'pg';
import { ListIndexes } from '../apply/list-indexes.service.js';
import { PositionService } from '../follow/current-state.js';
import { Stopping } from '../stopping.service.js';
import { Obstacles } from './obstacles.service.js';
import { SourcePauses } from './source-pauses.js';

const OUT_OF_REACH = 'The database cannot be reached.';

/**
 * Ready if it is not stopping, its database answers and has the schema, nothing keeps the index from growing, and after a
 * first sync all indexes are built. A source without a new block is no obstacle.
 */
@Injectable()
export class Readiness extends ReadinessCheck {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly stopping: Stopping,
    private readonly obstacles: Obstacles,
    private readonly pauses: SourcePauses,
    private readonly position: PositionService,
    private readonly lists: ListIndexes,
  ) {
    super();
  }

  override async findObstacle(): Promise<string | null> {
    if (this.stopping.signal.aborted) return 'The indexer is stopping.';
    const [ofSchema, ofBlock, ofLists] = await Promise.all([
      inTime(this.findSchemaObstacle(), OUT_OF_REACH),
      // The other check reports a database that fails or is slow.
      inTime(this.findRefusedBlock(), null),
      inTime(this.findMissingIndexes(), null),
    ]);
    const found = [ofSchema, ...this.obstacles.current, ofBlock, ofLists].filter(
      (obstacle) => obstacle !== null,
    );
    return found.length === 0 ? null : found.join(' | ');
  }

  /** A source that grants no requests for a while does not make the process unready. */
  override get details(): object {
    const { current } = this.pauses;
    return current === null ? {} : { source: current };
  }

  /** A schema that became newer while this process runs is no obstacle: a migration does not break running programs. */
  private async findSchemaObstacle(): Promise<string | null> {
    const state = await schemaState(this.pool);
    if ('problem' in state) return state.problem;
    if (state.kind !== 'older') return null;
    return `The schema lacks ${state.missing.join(', ')}: run "indexer migrate" of this version.`;
  }

  /** Before the first block, they are built in a moment. */
  private async findMissingIndexes(): Promise<string | null> {
    const missing = this.position.current.head === null ? [] : await this.lists.overdue();
    if (missing.length === 0) return null;
    return `The leader builds the indexes that lists need; these are missing: ${missing.join(', ')}.`;
  }

  private async findRefusedBlock(): Promise<string | null> {
    const refused = await readRefusedBlock(this.pool);
    if (refused === null) return null;
    return `${refused.reason} (given by ${refused.source}, refused ${refused.refusals} times in a row)`;
  }
}
