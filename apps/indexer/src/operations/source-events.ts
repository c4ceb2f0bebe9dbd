import type { SourceEvents } from '@roundhouse/source';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.service.js';
import type { SourcePauses } from './source-pauses.js';

/** Logs and counts what happens to the sources. */
export const sourceEvents = (logger: Logger, metrics: Metrics, pauses: SourcePauses): SourceEvents => ({
  onUnavailable: (error) => metrics.countSourceError(error),
  onPause: (pause) => {
    pauses.note(pause);
    const { source, reason, durationMs } = pause;
    logger.warn(
      { source, reason, seconds: Math.ceil(durationMs / 1_000) },
      'the source is not asked for a while',
    );
  },
  onSourceChange: (change) => logger.warn(change, 'another source is used from now on'),
  onBrokenClaim: (claim) =>
    logger.warn(
      claim,
      'the source claims blocks that it does not return: the last one that it returned counts as its tip',
    ),
  onAnnouncedRules: ({ source, from, reason }) => {
    metrics.noteUnknownRules(source, from);
    if (from === null) logger.info({ source }, 'the source announces no unknown rules any more');
    else
      logger.warn({ source, from, reason }, 'the source announces unknown rules: indexing ends before them');
  },
  onSlowArchive: (advice) => logger.info(advice),
});
