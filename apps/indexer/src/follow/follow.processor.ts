import { Processor } from '@nestjs/bullmq';
import { Inject, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { QueueName, StoppableProcessor, WORKER_OPTIONS, type FollowJob } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import type { Job } from 'bullmq';
import type { Logger } from 'pino';
import { logWorkerErrors } from '../logging/worker-errors.js';
import { Stopping } from '../stopping.service.js';
import { FollowService } from './follow.service.js';

@Processor(QueueName.Follow, WORKER_OPTIONS)
export class FollowProcessor
  extends StoppableProcessor<FollowJob>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly follow: FollowService,
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

  protected async work(job: Job<FollowJob>): Promise<void> {
    switch (job.data.reason) {
      case 'poll':
        return this.follow.poll();
      case 'plan':
        return this.follow.plan();
    }
  }
}
