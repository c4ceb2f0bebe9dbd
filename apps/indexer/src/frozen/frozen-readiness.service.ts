import { Inject, Injectable } from '@nestjs/common';
import { inTime, ReadinessCheck } from '@roundhouse/operations';
import { readChainEnd, type ChainEnd } from '@roundhouse/storage';
import { Pool } from 'pg';
import { Stopping } from '../stopping.service.js';
import { Prover } from './prover.service.js';

/** Ready means: the index of the ended chain is complete and proven. */
@Injectable()
export class FrozenReadiness extends ReadinessCheck {
  private end: ChainEnd | null = null;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly prover: Prover,
    private readonly stopping: Stopping,
  ) {
    super();
  }

  override async findObstacle(): Promise<string | null> {
    if (this.stopping.signal.aborted) return 'The indexer is stopping.';
    const end = await inTime(readChainEnd(this.pool), 'unknown' as const);
    if (end === 'unknown') return 'The database cannot be reached.';
    this.end = end;
    if (end === null || end.id === null)
      return 'The index is not at the end of its chain any more: restart the indexer, with BLOCK_SOURCE.';
    if (end.provenAt !== null) return null;
    if (end.problem !== null) return `The index of the ended chain is not sound: ${end.problem}`;
    return `The blocks of the ended chain are being verified: ${this.prover.provingAt ?? 0} of ${end.height}.`;
  }

  override get details(): object {
    return this.end?.id == null ? {} : { ended: this.end };
  }
}
