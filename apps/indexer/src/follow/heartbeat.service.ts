import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MilestoneSchedule, type Network } from '@roundhouse/chain';
import { JobQueues } from '@roundhouse/jobs';
import type { Logger } from 'pino';
import { withAdvice } from '../database/database-trouble.js';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { LOGGER } from '../logging/logger.js';
import { NETWORK } from '../network/network-guard.js';
import { Stopping } from '../stopping.service.js';
import { nextPoll, type NextPoll } from './next-poll.js';
import { PositionService } from './position.service.js';

/** A little under the interval, so that a process that is a moment early does not swallow its own next poll. */
const DEDUPLICATED_PART = 0.8;

/** Each process's own clock: whatever is lost from the queues, the next beat starts everything again. */
@Injectable()
export class Heartbeat implements OnApplicationBootstrap {
  private readonly milestones: MilestoneSchedule;
  private failed = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    @Inject(NETWORK) network: Network,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queues: JobQueues,
    private readonly position: PositionService,
    private readonly stopping: Stopping,
  ) {
    this.milestones = new MilestoneSchedule(network.milestones);
  }

  onApplicationBootstrap(): void {
    void this.beat();
  }

  private async beat(): Promise<void> {
    const { signal } = this.stopping;
    for (let key = 'poll'; !signal.aborted; key = await this.untilDue(signal)) await this.ask(key);
  }

  /** Gives the key of the poll that is due when it returns. */
  private async untilDue(signal: AbortSignal): Promise<string> {
    for (;;) {
      const { head } = this.position.current;
      const { delayMs, key, isForSlot }: NextPoll = this.next();
      await wait(delayMs, undefined, { signal }).catch(() => undefined);
      if (!isForSlot || signal.aborted) return key;
      // By another process's poll or a webhook the block may be here already.
      const now = await this.position.refresh().catch(() => null);
      if (now === null || now.head?.id === head?.id) return key;
    }
  }

  private async ask(key: string): Promise<void> {
    try {
      await this.queues.poll(key, Math.ceil(this.settings.POLL_INTERVAL_MS * DEDUPLICATED_PART));
      await this.position.refresh();
      if (this.failed) this.logger.info('database and queues can be reached again');
      this.failed = false;
    } catch (error) {
      if (!this.failed && !this.stopping.signal.aborted) {
        this.logger.warn(
          { reason: withAdvice(error as Error) },
          'database or queues cannot be reached; trying again',
        );
      }
      this.failed = true;
    }
  }

  private next(): NextPoll {
    const { head } = this.position.current;
    const isAtTip = head !== null && this.position.lag === 0;
    const constants = this.milestones.at((head?.height ?? 0) + 1);
    return nextPoll(Date.now(), isAtTip ? head.timestamp : null, constants, this.settings.POLL_INTERVAL_MS);
  }
}
