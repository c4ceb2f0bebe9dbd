import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { epochOf, MilestoneSchedule } from '@roundhouse/chain';
import { JobQueues } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import type { BlockSource } from '@roundhouse/source';
import {
  noteEndProblem,
  readChainEnd,
  readPosition,
  settleChainEnd,
  type Position,
} from '@roundhouse/storage';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { ApplyRunner } from '../apply/apply-runner.service.js';
import { ListIndexes } from '../apply/list-indexes.service.js';
import { SourceWatch } from '../follow/source-watch.js';
import { SETTINGS, SOURCE, type IndexerSettings } from '../indexer.config.js';
import { CurrentNetwork } from '../follow/current-state.js';
import { Obstacles } from '../operations/obstacles.service.js';
import { Stopping } from '../stopping.service.js';
import { wrongBlock } from './end-of-settings.js';

const LOOK_MS = 1_000;

const PLACE = 'the end of the chain';

type Head = NonNullable<Position['head']>;

/** Waits until the index has the last block of its chain for good, and names a source that has another end. */
@Injectable()
export class EndWatch implements OnApplicationBootstrap {
  private isOver!: () => void;
  /** Resolves when no source is needed any more. */
  readonly ended = new Promise<void>((resolve) => (this.isOver = resolve));
  private said = '';

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SOURCE) private readonly source: BlockSource,
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly network: CurrentNetwork,
    private readonly runner: ApplyRunner,
    private readonly lists: ListIndexes,
    private readonly queues: JobQueues,
    private readonly answers: SourceWatch,
    private readonly obstacles: Obstacles,
    private readonly stopping: Stopping,
  ) {}

  onApplicationBootstrap(): void {
    void this.watch();
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // Others say that the database or the queues are away.
      if (await this.look().catch(() => false)) return this.isOver();
      await this.stopping.pause(LOOK_MS);
    }
  }

  private async look(): Promise<boolean> {
    const { head, sourceHeight, finalHeight } = await readPosition(this.pool);
    if (finalHeight === null) return false;
    if ((await readChainEnd(this.pool))?.id != null) return true;
    if (sourceHeight !== null) this.compare(sourceHeight, finalHeight);
    if (head === null || head.height !== finalHeight || !this.runner.leads) return false;
    const { FINAL_HEIGHT, FINAL_BLOCK_ID } = this.settings;
    const wanted = FINAL_HEIGHT === finalHeight ? FINAL_BLOCK_ID : undefined;
    const problem = wanted === undefined || wanted === head.id ? null : wrongBlock(head, wanted);
    if (problem !== null) this.obstacles.note(PLACE, problem);
    else this.obstacles.clear(PLACE);
    await noteEndProblem(this.pool, finalHeight, problem);
    // The source may still switch to the block that the operator wants.
    if (problem !== null) return this.followFork();
    if ((await this.lists.overdue()).length > 0) return false;
    if (wanted === undefined && !(await this.isSettled(head))) return false;
    return settleChainEnd(this.pool, head);
  }

  /** Names a source that is on another side of the end. */
  private compare(sourceHeight: number, finalHeight: number): void {
    const isPast = sourceHeight > finalHeight;
    const found = isPast
      ? 'the source goes on past FINAL_HEIGHT: its blocks above are left out'
      : 'the source does not have the block at FINAL_HEIGHT yet: waiting for it';
    if (sourceHeight === finalHeight || found === this.said) return;
    this.said = found;
    this.logger.warn({ source: this.source.name, sourceHeight, finalHeight }, found);
  }

  private async followFork(): Promise<false> {
    await this.queues.apply('fork', this.settings.POLL_INTERVAL_MS);
    return false;
  }

  /** The last block of a chain that still runs may be undone; a round later, the source has decided. */
  private async isSettled({ height, id, timestamp }: Head): Promise<boolean> {
    const constants = new MilestoneSchedule(this.network.value.milestones).at(height);
    const age = Date.now() / 1_000 - epochOf(constants) - timestamp;
    if (age < constants.blocktime * constants.activeDelegates) return false;
    const theirs = await this.answers.answerOf(this.source.blockAt(height));
    return theirs !== null && theirs.id !== id ? this.followFork() : theirs !== null;
  }
}
