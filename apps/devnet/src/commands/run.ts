import { join } from 'node:path';
import type { SettingsValues } from '@roundhouse/config';
import { chainMaker, DEFAULT_OPTIONS } from '@roundhouse/forging';
import { createLogger } from '@roundhouse/logging';
import { DevnetApi } from '../api/api.js';
import { DevnetChain } from '../chain/devnet-chain.js';
import type { devnetSettings } from '../devnet.config.js';
import { DevnetError } from '../devnet.error.js';
import { ForgingLoop } from '../forging/forging-loop.js';
import { TransactionPool } from '../forging/transaction-pool.js';
import { postBlock } from '../forging/webhook.js';

export type RunSettings = SettingsValues<typeof devnetSettings>;

export interface RunningDevnet {
  /** The URL of its API. */
  readonly url: string;
  stop(): Promise<void>;
}

const listenError = (error: unknown, { HOST, DEVNET_PORT }: RunSettings): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new DevnetError(
      `Port ${DEVNET_PORT} on ${HOST} is in use: stop the program that listens there, or set DEVNET_PORT.`,
    );
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new DevnetError(`Cannot listen on ${HOST}:${DEVNET_PORT} (${code}): set HOST and DEVNET_PORT.`);
  }
  return error;
};

/**
 * Opens or creates the chain, serves it, and forges one block per slot. Throws `DevnetError` if the operator must
 * act.
 */
export const startDevnet = async (settings: RunSettings): Promise<RunningDevnet> => {
  const logger = await createLogger(settings.LOG_LEVEL, process.stdout.isTTY);
  const options = { ...DEFAULT_OPTIONS, seed: settings.DEVNET_SEED, missRate: settings.DEVNET_MISS_RATE };
  const chain = DevnetChain.open(
    chainMaker(options),
    {
      seed: settings.DEVNET_SEED,
      blockTime: settings.DEVNET_BLOCK_TIME,
      history: settings.DEVNET_HISTORY,
      folder: join(settings.DATA_DIR, 'devnet'),
    },
    Date.now,
  );
  const pool = new TransactionPool();
  const { DEVNET_WEBHOOK_URL: webhookUrl, DEVNET_WEBHOOK_TOKEN: token } = settings;
  const loop = new ForgingLoop(chain, pool, (block) => {
    const { height, id, numberOfTransactions } = block;
    logger.debug({ height, id, transactions: numberOfTransactions }, 'forged a block');
    if (webhookUrl === undefined) return;
    void postBlock({ url: webhookUrl, token }, block, ({ message }) =>
      logger.debug({ height, reason: message }, 'a webhook failed'),
    );
  });
  const api = new DevnetApi(
    { chain, pool, loop },
    { hasControl: settings.DEVNET_CONTROL, onError: (error) => logger.error(error, 'a request failed') },
  );
  const url = await api.listen(settings.HOST, settings.DEVNET_PORT).catch((error: unknown) => {
    chain.close();
    throw listenError(error, settings);
  });
  loop.start();
  logger.info({ url, height: chain.state.height, epoch: chain.timing.epoch }, 'the devnet is forging');
  const stop = async (): Promise<void> => {
    loop.stop();
    await api.close();
    chain.close();
    logger.info({ height: chain.state.height }, 'the devnet has stopped');
  };
  return { url, stop };
};
