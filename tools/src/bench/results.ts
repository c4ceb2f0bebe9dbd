import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** On disk, indexes included. */
export interface SizeResults {
  /** All our tables, as a share of a node's. */
  readonly ratioToNode: number;
  readonly bytesPerBlock: number;
  readonly bytesPerBlockOfNode: number;
  readonly bytesPerTransfer: number;
  readonly bytesPerTransferOfNode: number;
}

export interface IndexResults {
  /** Rows per second of the whole indexing, as a share of those of a bare COPY. */
  readonly ratioToCopy: number;
  /** The same, as a share of a COPY into a node's own tables and the building of their indexes. */
  readonly ratioToNodeRestore: number;
  /** Rows per second, as a multiple of those of a loop with the ORM. */
  readonly timesOrm: number;
  /** Blocks per second in the last tenth of the long chain, as a share of those in the first. */
  readonly flatness: number;
  /** The indexer's peak resident memory. */
  readonly rssMiB: number;
  readonly undo1000Ms: number;
  readonly startMs: number;
  readonly size: SizeResults;
}

export interface RouteResult {
  /** Requests per second, as a share of the baseline's. */
  readonly ratio: number;
  readonly p99Ms: number;
}

/**
 * Mean latencies of cold answers, one after the other, on an index with 5,000 delegates, one of which has 20,000
 * voters.
 */
export interface CrowdResults {
  readonly votersMs: number;
  readonly searchMs: number;
  readonly searchOfAllMs: number;
}

export interface ApiResults {
  readonly hot: Readonly<Record<string, RouteResult>>;
  readonly cold: Readonly<Record<string, RouteResult>>;
  /** Cold latency on the long chain divided by that on 10,000 blocks. */
  readonly growth: Readonly<Record<string, number>>;
  readonly offsetRatio: number;
  readonly crowd: CrowdResults;
  readonly rssMiB: number;
  readonly startMs: number;
}

/** From the time at which the node has a block to the time at which the api shows it. */
export interface TipResults {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Results {
  readonly index?: IndexResults;
  readonly tip?: TipResults;
  /** Like `tip`, with a node that announces its blocks by webhook. */
  readonly tipByWebhook?: TipResults;
  readonly api?: ApiResults;
}

/** Replaces the measured parts; the others stay as in the last run. */
export const saveResults = (file: string, measured: Results): void => {
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {};
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...kept, ...measured }, null, 2)}\n`);
};
