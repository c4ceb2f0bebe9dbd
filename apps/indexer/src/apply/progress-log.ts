import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import { PositionService } from '../follow/current-state.js';
import type { BatchReport } from './apply-options.js';

const EVERY_MS = 3_000;

/** If the index is behind by more than this, it is catching up. */
const CAUGHT_UP_LAG = 1;

/**
 * While the index is behind, logs one line every few seconds; logs one line when it has caught up, and each batch at
 * debug level.
 */
@Injectable()
export class ProgressLog {
  private since = 0;
  private blocks = 0;
  private isCaughtUp = false;
  private readonly saidTypes = new Set<string>();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly position: PositionService,
  ) {}

  begin(): void {
    this.since = performance.now();
    this.blocks = 0;
    this.isCaughtUp = false;
  }

  batch({ head, blocks, unknownTypes, revisions, misplaced, warned, ...rest }: BatchReport): void {
    this.logger.debug({ height: head.height, id: head.id, blocks, ...rest }, 'applied a batch');
    for (const type of unknownTypes.keys()) this.sayUnknown(type, head.height);
    for (const { height, round, forgottenClaims, firstSlot } of revisions)
      this.logger.info(
        { height, round, forgottenClaims, firstSlot },
        'the round is forged by another list of forgers than it began with: nodes have restarted, or count slots by the other rule',
      );
    for (const { height, round } of misplaced)
      this.logger.warn(
        { height, round },
        'accepted by FORGERS=active: the forger of the block is an active delegate, but has its slot in no list of forgers',
      );
    for (const [rule, { count, first }] of warned)
      this.logger.warn(
        { rule, times: count, height: first.height, problem: first.problem },
        'accepted although it breaks a rule of the chain',
      );
    this.blocks += blocks;
    const elapsed = performance.now() - this.since;
    const { sourceHeight } = this.position.current;
    const behind = (sourceHeight ?? head.height) - head.height;
    if (behind > CAUGHT_UP_LAG) this.isCaughtUp = false;
    if (this.isCaughtUp || elapsed < EVERY_MS) return;
    const blocksPerSecond = Math.round((this.blocks * 1_000) / elapsed);
    this.logger.info({ height: head.height, sourceHeight, blocksPerSecond }, 'catching up');
    this.since = performance.now();
    this.blocks = 0;
  }

  /** Once per type; a metric counts them. */
  private sayUnknown(type: string, height: number): void {
    if (this.saidTypes.has(type)) return;
    this.saidTypes.add(type);
    this.logger.warn(
      { type, height },
      'transactions of an unknown type: only their fees are applied, unless customTypes of the network says that they move amounts',
    );
  }

  /** Call this when everything staged is applied and the position has been refreshed. */
  drained(): void {
    const { head, sourceHeight } = this.position.current;
    if (this.isCaughtUp || (this.position.lag ?? Infinity) > CAUGHT_UP_LAG) return;
    this.isCaughtUp = true;
    this.logger.info({ height: head?.height, id: head?.id, sourceHeight }, 'caught up with the source');
  }
}
