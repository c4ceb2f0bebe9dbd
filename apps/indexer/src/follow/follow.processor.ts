import { Processor, WorkerHost } from '@nestjs/bullmq';
import { QueueName, WORKER_OPTIONS, type FollowJob } from '@roundhouse/jobs';
import type { Job } from 'bullmq';
import { FollowService } from './follow.service.js';

@Processor(QueueName.Follow, WORKER_OPTIONS)
export class FollowProcessor extends WorkerHost {
  constructor(private readonly follow: FollowService) {
    super();
  }

  async process(job: Job<FollowJob>): Promise<void> {
    switch (job.data.reason) {
      case 'poll':
        return this.follow.poll(job.timestamp);
      case 'plan':
        return this.follow.plan();
    }
  }
}
