import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { JobQueues } from '@roundhouse/jobs';

const BOARD_PATH = '/queues';

/** A page that shows the queues and their jobs. It is read-only: the tables are the truth, so jobs need no maintenance. */
export const mountQueueBoard = async (app: NestFastifyApplication): Promise<void> => {
  const serverAdapter = new FastifyAdapter();
  serverAdapter.setBasePath(BOARD_PATH);
  createBullBoard({
    queues: app.get(JobQueues).queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Roundhouse' } },
  });
  await app.register(serverAdapter.registerPlugin(), { prefix: BOARD_PATH });
};
