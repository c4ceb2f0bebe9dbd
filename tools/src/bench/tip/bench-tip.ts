import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePorts, runApp, type AppProcess, type LogLine } from '@roundhouse/local-postgres';
import { startApi } from '../api/api-process.js';
import type { BenchOptions } from '../bench.config.js';
import type { BenchServer } from '../bench-server.js';
import type { TipResults } from '../results.js';
import { quantile, rounded } from '../statistics.js';
import { printTable, thousands } from '../table.js';
import { startProgram } from '../program.js';

const BLOCK_MS = 1_000;
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 2;
/** The first blocks are not counted, because the programs have just started. */
const WARM_UP_BLOCKS = 3;
const KEEP_NO_ANSWER = 1;
/** Based on the slot, because a live chain is polled once per slot, when a block is due. */
const aimWith = (extraMs: number): string => `at most a slot (${thousands(BLOCK_MS)} ms) and ${extraMs} ms`;

const heightOf = async (apiUrl: string): Promise<number> => {
  const response = await fetch(`${apiUrl}/api/blocks/getHeight`);
  return ((await response.json()) as { height?: number }).height ?? 0;
};

/** For each of the next blocks of the node, the ms until the api shows it. */
const delays = async (
  apiUrl: string,
  forgedAt: ReadonlyMap<number, number>,
  blocks: number,
): Promise<number[]> => {
  const begun = Date.now();
  const found = new Map<number, number>();
  while (found.size < blocks) {
    if (Date.now() > begun + blocks * BLOCK_MS + PATIENCE_MS)
      throw new Error(`The api has shown only ${found.size} of ${blocks} blocks.`);
    const height = await heightOf(apiUrl);
    const now = Date.now();
    for (const [forgedHeight, forged] of forgedAt) {
      if (forged > begun && forgedHeight <= height && !found.has(forgedHeight))
        found.set(forgedHeight, now - forged);
    }
    await wait(LOOK_AGAIN_MS);
  }
  return [...found.values()];
};

const webhookSettings = (operationsUrl: string) => {
  const token = randomBytes(32).toString('hex');
  const url = `${operationsUrl}/webhooks/block-applied`;
  return {
    ofDevnet: { DEVNET_WEBHOOK_URL: url, DEVNET_WEBHOOK_TOKEN: token },
    ofIndexer: { WEBHOOK_TOKEN: token },
  };
};

/**
 * From the time at which a node has a block to the time at which the api shows it. The devnet has a block time of one
 * second. It is polled when a block is due, and announces its blocks by webhook if requested.
 */
const measure = async (
  server: BenchServer,
  { tipBlocks }: BenchOptions,
  hasWebhook: boolean,
): Promise<TipResults> => {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-tip-'));
  const databaseUrl = await server.createDatabase();
  const [port, operationsPort] = await freePorts(2);
  const operationsUrl = `http://127.0.0.1:${operationsPort}`;
  const webhook = hasWebhook ? webhookSettings(operationsUrl) : null;
  const nodeUrl = `http://127.0.0.1:${port}`;
  const forgedAt = new Map<number, number>();
  // Only the devnet's log lines about a forged block have a number of transactions.
  const noteForged = ({ height, transactions, time }: LogLine): void => {
    if (typeof transactions !== 'number') return;
    forgedAt.set(height as number, new Date(time as string | number).getTime());
  };
  let unfinished = '';
  const hear = (text: string): void => {
    const lines = (unfinished + text).split('\n');
    unfinished = lines.pop()!;
    for (const line of lines) noteForged(JSON.parse(line) as LogLine);
  };
  const running: { stop(): Promise<unknown> }[] = [];
  const start = async (program: AppProcess, readyUrl: string): Promise<void> => {
    running.unshift(program);
    await program.answers(readyUrl);
  };
  try {
    const devnet = {
      DATA_DIR: folder,
      DEVNET_PORT: String(port),
      DEVNET_BLOCK_TIME: String(BLOCK_MS / 1_000),
      DEVNET_HISTORY: '10',
      DEVNET_MISS_RATE: '0',
      LOG_LEVEL: 'debug',
      ...webhook?.ofDevnet,
    };
    await start(startProgram('devnet', devnet, hear), `${nodeUrl}/api/node/status`);
    const environment = {
      DATABASE_URL: databaseUrl,
      BLOCK_SOURCE: nodeUrl,
      OPS_PORT: String(operationsPort),
      ...webhook?.ofIndexer,
    };
    await runApp('indexer', ['migrate'], environment);
    await start(startProgram('indexer', environment), `${operationsUrl}/health/ready`);
    const api = await startApi(databaseUrl, KEEP_NO_ANSWER);
    running.unshift(api);
    const all = await delays(api.url, forgedAt, tipBlocks + WARM_UP_BLOCKS);
    const measured = all.slice(WARM_UP_BLOCKS);
    return {
      p50Ms: rounded(quantile(measured, 0.5), 1),
      p99Ms: rounded(quantile(measured, 0.99), 1),
    };
  } finally {
    for (const program of running) await program.stop();
    await server.dropDatabase(databaseUrl);
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Measures once with polling only and once with a webhook. */
export const benchTip = async (
  server: BenchServer,
  options: BenchOptions,
): Promise<{ readonly tip: TipResults; readonly tipByWebhook: TipResults }> => {
  const tip = await measure(server, options, false);
  const tipByWebhook = await measure(server, options, true);
  printTable(
    `At the tip: from the node to the api, ${options.tipBlocks} blocks, load ${loadavg()[0]!.toFixed(1)}`,
    [
      ['', 'polled', 'by webhook', ''],
      ['median', `${tip.p50Ms} ms`, `${tipByWebhook.p50Ms} ms`, aimWith(50)],
      ['p99', `${tip.p99Ms} ms`, `${tipByWebhook.p99Ms} ms`, aimWith(150)],
    ],
  );
  return { tip, tipByWebhook };
};
