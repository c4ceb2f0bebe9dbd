import { Inject, Injectable } from '@nestjs/common';
import { ChainError, InvalidBlockError } from '@roundhouse/chain';
import { isQueueTrouble, refusedPauseMs, type FetchJob } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import { NodeProtocolError, NodeUnavailableError } from '@roundhouse/source';
import { UndoOutOfReachError } from '@roundhouse/storage';
import { UnrecoverableError } from 'bullmq';
import type { Logger } from 'pino';
import { adviceFor, withAdvice } from './database/database-trouble.js';
import { HaltService } from './halt.service.js';
import { saySometimes } from './logging/say-sometimes.js';
import { Metrics } from './operations/metrics.service.js';
import { Obstacles } from './operations/obstacles.service.js';

/** Where work can get stuck, for readiness. */
export const PLACES = { following: 'following', fetching: 'fetching', applying: 'applying' } as const;

/** After this many failures in a row, one per heartbeat, the process halts. Database trouble does not count. */
const MOST_FAILURES = 30;

/** For problems that may last for hours, with a retry at every heartbeat. */
const voicesOf = (logger: Logger) => {
  const voice = (level: 'warn' | 'error', message: string): ((error: Error) => void) =>
    saySometimes((reason) => logger[level]({ reason }, message));
  return {
    notFollowed: voice('error', 'the source could not be followed; trying again'),
    notAccepted: voice('error', 'the database does not accept the blocks; trying again, nothing is lost'),
    undecided: voice('warn', 'the source could not say whether it forked; asking again'),
    notStaged: voice(
      'error',
      'the database does not accept the fetched blocks; trying again, nothing is lost',
    ),
    sourceless: voice('warn', 'the source returns no blocks now; trying again'),
    notFetched: voice('error', 'blocks could not be fetched and staged; trying again'),
  };
};

/** Says what has gone wrong in a job, because BullMQ says nothing. Each method returns the error with which the job fails. */
@Injectable()
export class JobFailures {
  /** How many jobs that apply blocks have failed in a row. */
  inApplying = 0;
  private readonly say: ReturnType<typeof voicesOf>;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly obstacles: Obstacles,
    private readonly halt: HaltService,
    private readonly metrics: Metrics,
  ) {
    this.say = voicesOf(logger);
  }

  /** The next heartbeat tries again. The queues report their own trouble. */
  following(error: Error): Error {
    const reason = withAdvice(error);
    this.obstacles.note(PLACES.following, reason);
    if (!isQueueTrouble(error)) this.say.notFollowed(new Error(reason));
    return error;
  }

  /** Contradictions to the chain halt the process; everything else is retried at the next heartbeat. */
  applying(error: Error): Error {
    const reason = withAdvice(error);
    this.obstacles.note(PLACES.applying, reason);
    if (error instanceof NodeUnavailableError || error instanceof NodeProtocolError) {
      this.say.undecided(error);
      return error;
    }
    // The next poll adds the lost jobs again.
    if (isQueueTrouble(error)) return error;
    if (adviceFor(error) !== null) {
      this.say.notAccepted(new Error(reason));
      return error;
    }
    this.inApplying += 1;
    const { message } = error;
    const isHopeless = error instanceof ChainError || error instanceof UndoOutOfReachError;
    if (isHopeless || this.inApplying >= MOST_FAILURES) this.halt.halt(error);
    else this.logger.error({ reason: message, failures: this.inApplying }, 'applying failed; trying again');
    return new UnrecoverableError(message);
  }

  /** An error that the node has to fix is not retried at once; any other is, with backoff. */
  fetching(error: Error, { from, to, refusals = 0 }: FetchJob): Error {
    this.metrics.countSourceError(error);
    if (error instanceof NodeProtocolError || error instanceof InvalidBlockError) {
      const againInSeconds = refusedPauseMs(refusals + 1) / 1_000;
      this.logger.error(
        { from, to, reason: error.message, times: refusals + 1, againInSeconds },
        'the source returned blocks that cannot be right; nothing of them is stored',
      );
      return new UnrecoverableError(error.message);
    }
    const reason = withAdvice(error);
    this.obstacles.note(PLACES.fetching, reason);
    this.voiceFor(error)(new Error(reason));
    this.logger.debug({ from, to, reason: error.message }, 'a fetch failed; trying again');
    return error;
  }

  private voiceFor(error: Error): (error: Error) => void {
    if (error instanceof NodeUnavailableError) return this.say.sourceless;
    return adviceFor(error) === null ? this.say.notFetched : this.say.notStaged;
  }
}
