import { Processor } from '@nestjs/bullmq';
import { Inject, type OnApplicationBootstrap } from '@nestjs/common';
import { ChainError } from '@roundhouse/chain';
import {
  isQueueTrouble,
  QueueName,
  StoppableProcessor,
  WORKER_OPTIONS,
  type ApplyJob,
} from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import { NodeProtocolError, NodeUnavailableError } from '@roundhouse/source';
import { UndoOutOfReachError } from '@roundhouse/storage';
import { UnrecoverableError } from 'bullmq';
import type { Logger } from 'pino';
import { adviceFor, withAdvice } from '../database/database-trouble.js';
import { HaltService } from '../halt.service.js';
import { saySometimes } from '../logging/say-sometimes.js';
import { logWorkerErrors } from '../logging/worker-errors.js';
import { Obstacles } from '../operations/obstacles.service.js';
import { ApplyRunner } from './apply-runner.service.js';

/** After this many failures in a row, one per heartbeat, the process halts. Database trouble does not count. */
const MOST_FAILURES = 30;

/** Runs only in the leading process: `LeaderService` starts, pauses and closes its worker. */
@Processor(QueueName.Apply, { ...WORKER_OPTIONS, autorun: false })
export class ApplyProcessor extends StoppableProcessor<ApplyJob> implements OnApplicationBootstrap {
  private failures = 0;

  /** Each of these problems may last for hours, with a retry at every heartbeat. */
  private readonly sayTrouble = saySometimes((reason) =>
    this.logger.error({ reason }, 'the database does not accept the blocks; trying again, nothing is lost'),
  );
  private readonly sayUndecided = saySometimes((reason) =>
    this.logger.warn({ reason }, 'the source could not say whether it forked; asking again'),
  );

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly runner: ApplyRunner,
    private readonly halt: HaltService,
    private readonly obstacles: Obstacles,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    logWorkerErrors(this.worker, this.logger);
  }

  async work({ reason }: ApplyJob): Promise<void> {
    try {
      await this.runner.run(reason);
      this.failures = 0;
      this.obstacles.clear('applying');
    } catch (error) {
      throw this.translate(error as Error);
    }
  }

  /** Contradictions to the chain halt the process; everything else is retried at the next heartbeat. */
  private translate(error: Error): Error {
    if (this.isHandingOver) return error;
    this.obstacles.note('applying', withAdvice(error));
    if (error instanceof NodeUnavailableError || error instanceof NodeProtocolError) {
      this.sayUndecided(error);
      return error;
    }
    // The next poll adds the lost jobs again.
    if (isQueueTrouble(error)) return error;
    if (adviceFor(error) !== null) {
      this.sayTrouble(new Error(withAdvice(error)));
      return error;
    }
    this.failures += 1;
    const isHopeless = error instanceof ChainError || error instanceof UndoOutOfReachError;
    if (isHopeless || this.failures >= MOST_FAILURES) this.halt.halt(error);
    else
      this.logger.error({ reason: error.message, failures: this.failures }, 'applying failed; trying again');
    return new UnrecoverableError(error.message);
  }
}
