import type { traced } from '@roundhouse/telemetry';
import type { Job } from 'bullmq';

/** The span of a job. Its data is a reason or a range of heights, so it may be shown in full. */
export const jobSpan = ({ queueName, name, id = '', data }: Job): Parameters<typeof traced>[0] => ({
  name: `process ${queueName} ${name}`,
  kind: 'consumer',
  attributes: {
    'messaging.system': 'bullmq',
    'messaging.operation.type': 'process',
    'messaging.destination.name': queueName,
    'messaging.message.id': id,
    ...Object.fromEntries(
      Object.entries(data as object).map(([key, value]) => [`roundhouse.${key}`, value as unknown]),
    ),
  },
});
