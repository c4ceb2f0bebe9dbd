import { Inject, Injectable } from '@nestjs/common';
import { InvalidBlockError, type Block, type BlockRef } from '@roundhouse/chain';
import { LOGGER } from '@roundhouse/logging';
import { NodeProtocolError, type BlockSource } from '@roundhouse/source';
import { traced } from '@roundhouse/telemetry';
import type { Logger } from 'pino';
import { SOURCE } from '../indexer.config.js';
import { Metrics } from '../operations/metrics.service.js';
import { ForkService } from './fork.service.js';

/** Asks the source about blocks that do not fit the index, and undoes ours if it has forked. */
@Injectable()
export class ForkFollower {
  constructor(
    @Inject(SOURCE) private readonly source: BlockSource,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly forks: ForkService,
    private readonly metrics: Metrics,
  ) {}

  /** Undoes the blocks that the source has replaced; returns the common height, or null if there is nothing to undo. */
  async follow(head: BlockRef, undoTo: (height: number) => Promise<unknown>): Promise<number | null> {
    const verdict = await this.forks.judge(head);
    if (verdict.kind !== 'forked') return null;
    const { commonHeight } = verdict;
    const depth = head.height - commonHeight;
    const attributes = { 'roundhouse.from': head.height, 'roundhouse.to': commonHeight };
    await traced({ name: 'undo', attributes }, () => undoTo(commonHeight));
    this.metrics.countFork(depth);
    this.logger.warn(
      { from: head.height, id: head.id, commonHeight, depth },
      'the source has forked: our blocks above the common height are undone',
    );
    return commonHeight;
  }

  /** Whether the source has this very block. Throws `InvalidBlockError` if its generator has not signed it. */
  async isSigned({ height, id }: Block): Promise<boolean> {
    try {
      // A block that is asked for by itself comes with its signature checked, whatever the value of VERIFY.
      return (await this.source.blockAt(height))?.id === id;
    } catch (error) {
      if (!(error instanceof NodeProtocolError) || error.height !== height) throw error;
      // Then only this block is refused: those below it are committed.
      this.metrics.countSourceError(error);
      const { message } = error.cause instanceof InvalidBlockError ? error.cause : error;
      throw new InvalidBlockError(height, message);
    }
  }
}
