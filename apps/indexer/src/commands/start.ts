import { createBlockSource } from '@roundhouse/source';
import type { Logger } from 'pino';
import type { IndexerSettings } from '../indexer.config.js';
import { startIndexer, type OpenSource, type RunningIndexer } from '../indexer.js';
import type { Stopping } from '../stopping.service.js';

const openAny: OpenSource = ({ BLOCK_SOURCE, VERIFY }, network, events) =>
  createBlockSource({ urls: BLOCK_SOURCE, network, verify: VERIFY, ...events });

/** Starts an indexer, up to `lastHeight` where that is given; null where it is told to stop before anything runs. */
export const start = async (
  settings: IndexerSettings,
  logger: Logger,
  stopping: Stopping,
  openSource = openAny,
  lastHeight: number | null = null,
): Promise<RunningIndexer | null> => {
  try {
    return await startIndexer(settings, logger, openSource, stopping, lastHeight);
  } catch (error) {
    if (error === stopping.signal.reason) return null;
    throw error;
  }
};
