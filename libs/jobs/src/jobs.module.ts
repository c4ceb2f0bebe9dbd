import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { JOB_OPTIONS, WORKER_OPTIONS } from './job-options.js';
import { JobQueues } from './job-queues.service.js';
import { QUEUE_BACKEND, type QueueBackend } from './queue-backend.js';
import { QueueName } from './queue-name.js';

/** Separates the jobs of several chains that share one Redis. */
export const queuePrefix = (nethash: string): string => `roundhouse-${nethash.slice(0, 8)}`;

/** Provides the queues on an open backend, and `JobQueues`. */
@Module({})
export class JobsModule {
  static on(backend: QueueBackend, nethash: string): DynamicModule {
    const queues = BullModule.registerQueue(
      ...Object.values(QueueName).map((name) => ({ name, defaultJobOptions: JOB_OPTIONS[name] })),
    );
    return {
      module: JobsModule,
      global: true,
      imports: [
        BullModule.forRoot({
          connection: backend.connection,
          prefix: queuePrefix(nethash),
          skipVersionCheck: WORKER_OPTIONS.skipVersionCheck,
        }),
        queues,
      ],
      providers: [{ provide: QUEUE_BACKEND, useValue: backend }, JobQueues],
      exports: [JobQueues, queues],
    };
  }
}
