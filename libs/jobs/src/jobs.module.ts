import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { JOB_OPTIONS, WORKER_OPTIONS } from './job-options.js';
import { JobQueues } from './job-queues.service.js';
import { QUEUE_BACKEND, type QueueBackend } from './queue-backend.js';
import { QueueName } from './queue-name.js';

/** The three queues on an open backend, and `JobQueues` over them. */
@Module({})
export class JobsModule {
  /** `chain` keeps the jobs of several chains apart that share one Redis. */
  static on(backend: QueueBackend, chain: string): DynamicModule {
    const queues = BullModule.registerQueue(
      ...Object.values(QueueName).map((name) => ({ name, defaultJobOptions: JOB_OPTIONS[name] })),
    );
    return {
      module: JobsModule,
      global: true,
      imports: [
        BullModule.forRoot({
          connection: backend.connection,
          prefix: `roundhouse-${chain}`,
          skipVersionCheck: WORKER_OPTIONS.skipVersionCheck,
        }),
        queues,
      ],
      providers: [{ provide: QUEUE_BACKEND, useValue: backend }, JobQueues],
      exports: [JobQueues, queues],
    };
  }
}
