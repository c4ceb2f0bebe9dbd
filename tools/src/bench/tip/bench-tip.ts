import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePorts, runApp, type AppProcess } from '@roundhouse/local-postgres';
import type { Bench } from '../bench.config.js';
import { quantile, rounded } from '../statistics.js';
import { NO_CACHE, withApi, withProgram } from '../with-program.js';

const BLOCK_MS = 1_000;
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 2;
/** The first blocks are not counted, because the programs have just started. */
const WARM_UP_BLOCKS = 3;

const heightOf = async (apiUrl: string): Promise<number> => {
  const response = await fetch(`${apiUrl}/api/blocks/getHeight`);
  return ((await response.json()) as { height?: number }).height ?? 0;
};

/** When the api first shows each of the next heights. */
const watch = async (apiUrl: string, blocks: number): Promise<Map<number, number>> => {
  const deadline = Date.now() + blocks * BLOCK_MS + PATIENCE_MS;
  const shownAt = new Map<number, number>();
  let known = await heightOf(apiUrl);
  while (shownAt.size < blocks) {
    if (Date.now() > deadline) throw new Error(`The api has shown only ${shownAt.size} of ${blocks} blocks.`);
    await wait(LOOK_AGAIN_MS);
    const height = await heightOf(apiUrl);
    const now = Date.now();
    while (known < height) shownAt.set((known += 1), now);
  }
  return shownAt;
};

/** When the node forged each height. Only its log lines about a forged block have a number of transactions. */
const forgedAt = ({ lines }: AppProcess): [number, number][] =>
  lines
    .filter(({ transactions }) => typeof transactions === 'number')
    .map(({ height, time }) => [height as number, new Date(time as string | number).getTime()]);

/**
 * From the time at which a node has a block to the time at which the api shows it. The devnet has a block time of one
 * second. It is polled when a block is due, and announces its blocks by webhook if requested.
 */
const measure = (bench: Bench, folder: string, hasWebhook: boolean) =>
  bench.withDatabase(async (databaseUrl) => {
    const [port, operationsPort] = await freePorts(2);
    const nodeUrl = `http://127.0.0.1:${port}`;
    const operationsUrl = `http://127.0.0.1:${operationsPort}`;
    const token = randomBytes(32).toString('hex');
    const devnetSettings = {
      DATA_DIR: folder,
      DEVNET_PORT: String(port),
      DEVNET_BLOCK_TIME: String(BLOCK_MS / 1_000),
      DEVNET_HISTORY: '10',
      DEVNET_MISS_RATE: '0',
      LOG_LEVEL: 'debug',
      ...(hasWebhook && {
        DEVNET_WEBHOOK_URL: `${operationsUrl}/webhooks/block-applied`,
        DEVNET_WEBHOOK_TOKEN: token,
      }),
    };
    const indexerSettings = {
      DATABASE_URL: databaseUrl,
      BLOCK_SOURCE: nodeUrl,
      OPS_PORT: String(operationsPort),
      ...(hasWebhook && { WEBHOOK_TOKEN: token }),
    };
    const follow = async (devnet: AppProcess, indexer: AppProcess): Promise<number[]> => {
      await indexer.answers(`${operationsUrl}/health/ready`);
      const blocks = bench.tipBlocks + WARM_UP_BLOCKS;
      const shownAt = await withApi(databaseUrl, NO_CACHE, ({ url }) => watch(url, blocks));
      return forgedAt(devnet).flatMap(([height, ms]) =>
        shownAt.has(height) ? [shownAt.get(height)! - ms] : [],
      );
    };
    const delays = await withProgram(
      'devnet',
      devnetSettings,
      async (devnet) => {
        await devnet.answers(`${nodeUrl}/api/node/status`);
        await runApp('indexer', ['migrate'], indexerSettings);
        return withProgram('indexer', indexerSettings, (indexer) => follow(devnet, indexer));
      },
      true,
    );
    const measured = delays.slice(WARM_UP_BLOCKS);
    return { p50Ms: rounded(quantile(measured, 0.5), 1), p99Ms: rounded(quantile(measured, 0.99), 1) };
  });

/** Measures once with polling only and once with a webhook. */
export const benchTip = async (bench: Bench) => {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-tip-'));
  try {
    return {
      tip: await measure(bench, join(folder, 'polled'), false),
      tipByWebhook: await measure(bench, join(folder, 'by webhook'), true),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
