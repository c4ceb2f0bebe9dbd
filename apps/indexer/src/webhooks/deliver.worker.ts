import { Processor } from '@nestjs/bullmq';
import { deliverPauseMs, QueueName, WORKER_OPTIONS, type DeliverJob } from '@roundhouse/jobs';
import { withAdvice } from '../database/database-trouble.js';
import { saySometimes } from '../logging/say-sometimes.js';
import { IndexerWorker } from '../workers.js';
import { Deliveries } from './deliveries.service.js';
import { PostError } from './post-event.js';

/** A receiver that hangs holds up only itself, as long as not all of these places wait for such ones. */
const CONCURRENCY = 100;

/** Works only in the leading process, as `ApplyWorker` does. */
@Processor(QueueName.Deliver, {
  ...WORKER_OPTIONS,
  autorun: false,
  concurrency: CONCURRENCY,
  settings: { backoffStrategy: deliverPauseMs },
})
export class DeliverWorker extends IndexerWorker<DeliverJob> {
  protected readonly place = 'delivering';
  private readonly sayFailed = saySometimes((reason) =>
    this.logger.error({ reason }, 'events cannot be posted to webhooks; trying again'),
  );

  constructor(private readonly deliveries: Deliveries) {
    super();
  }

  protected doWork({ webhook }: DeliverJob): Promise<void> {
    return this.deliveries.deliver(webhook);
  }

  /** A receiver that does not accept an event is no trouble of the index. */
  protected translate(error: Error): Error {
    if (!(error instanceof PostError)) this.sayFailed(new Error(withAdvice(error)));
    return error;
  }
}
