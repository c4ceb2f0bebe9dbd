import { Processor } from '@nestjs/bullmq';
import { Inject, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import {
  isQueueTrouble,
  QueueName,
  StoppableProcessor,
  WORKER_OPTIONS,
  type FollowJob,
} from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import { withAdvice } from '../database/database-trouble.js';
import { saySometimes } from '../logging/say-sometimes.js';
import { logWorkerErrors } from '../logging/worker-errors.js';
import { Obstacles } from '../operations/obstacles.service.js';
import { Stopping } from '../stopping.service.js';
import { FollowService } from './follow.service.js';

@Processor(QueueName.Follow, WORKER_OPTIONS)
export class FollowProcessor
  extends StoppableProcessor<FollowJob>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly sayFailed = saySometimes((reason) =>
    this.logger.error({ reason }, 'the source could not be followed; trying again'),
  );

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly follow: FollowService,
    private readonly obstacles: Obstacles,
    private readonly stopping: Stopping,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    logWorkerErrors(this.worker, this.logger);
  }

  /** Must run before Nest closes the queues: a job that is still running would wait forever on a closed one. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stopping.step('returning follow jobs', () => this.stop());
  }

  async work({ reason }: FollowJob): Promise<void> {
    try {
      await this.run(reason);
      this.obstacles.clear('following');
    } catch (error) {
      this.note(error as Error);
      throw error;
    }
  }

  private run(reason: FollowJob['reason']): Promise<void> {
    switch (reason) {
      case 'poll':
        return this.follow.poll();
      case 'plan':
        return this.follow.plan();
    }
  }

  /** The next heartbeat tries again. BullMQ says nothing of a job that fails. */
  private note(error: Error): void {
    if (this.isHandingOver) return;
    const reason = withAdvice(error);
    this.obstacles.note('following', reason);
    // The queues report their own trouble.
    if (!isQueueTrouble(error)) this.sayFailed(new Error(reason));
  }
}
