export { checkRedis } from './check-redis.js';
export { grantQueues } from './grant-queues.js';
export { WORKER_OPTIONS } from './job-options.js';
export { JobQueues } from './job-queues.service.js';
export type { ApplyJob, FetchJob, FollowJob, HeightRange } from './jobs.js';
export { JobsModule } from './jobs.module.js';
export { areQueuesMigrated, migrateQueues } from './migrate-queues.js';
export { openQueueBackend, type QueueBackend } from './queue-backend.js';
export { QueueName } from './queue-name.js';
