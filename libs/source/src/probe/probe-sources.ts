import {
  curve,
  harmlessMilestonesNote,
  MilestoneSchedule,
  Rules,
  type ForgerRule,
  type Network,
} from '@roundhouse/chain';
import type { RawSource } from '../block-source.js';
import { AgreedNetwork } from '../checks/agreed-network.js';
import type { Verification } from '../checks/block-checker.js';
import { CheckedSource } from '../checks/checked-source.js';
import { CoreApiSource } from '../core-api/core-api-source.js';
import { reservedOf } from '../core-api/request-budget.js';
import { CoreDatabaseSource } from '../core-database/core-database-source.js';
import { openRawSource, splitUrls, type SourceEvents } from '../create-block-source.js';
import { compareEnd, type ExpectedEnd } from './compare-end.js';
import { readNodeFacts } from './node-facts.js';
import { KnownBlocks } from './known-blocks.js';
import { sampleRanges, sampleSegments } from './read-sample.js';
import type { RateLimit, ReportedNetwork, Sample, SourceReport } from './source-report.js';
import { tryChain } from './try-chain.js';
import { WatchedHeaders } from './watched-headers.js';

interface ProbeOptions extends Pick<SourceEvents, 'onPause' | 'onSlowArchive'> {
  /** `BLOCK_SOURCE`. */
  readonly urls: string;
  /** `NETWORK`, or null if it is not set. */
  readonly network: Network | null;
  readonly verify: Verification;
  /** `FORGERS`. (Default: `slot`) */
  readonly forgers?: ForgerRule;
  /** What the blocks must keep. (Default: every rule) */
  readonly rules?: Rules;
  /** Where the chain ends: FINAL_HEIGHT and FINAL_BLOCK_ID. (Default: it lives) */
  readonly end?: ExpectedEnd | null;
}

/** If the newest block is older than this many block times, the node or its chain stands still. */
const MOST_BLOCK_TIMES = 20;
const MOST_CLOCK_DIFFERENCE_SECONDS = 2;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Probe {
  readonly raw: RawSource;
  readonly source: CheckedSource;
  readonly headers: WatchedHeaders;
  readonly verify: Verification;
  readonly forgers: ForgerRule;
  readonly rules: Rules;
  readonly end: ExpectedEnd | null;
}

const kindOf = (raw: RawSource): SourceReport['kind'] => {
  if (raw instanceof CoreApiSource) return 'api';
  return raw instanceof CoreDatabaseSource ? 'database' : 'archive';
};

const reportedNetwork = (network: Network, height: number): ReportedNetwork => {
  const { name, nethash, token, pubKeyHash } = network;
  const { activeDelegates, blocktime } = new MilestoneSchedule(network.milestones).at(height);
  return { name, nethash, token, pubKeyHash, activeDelegates, blockSeconds: blocktime };
};

/** How long it takes to read all blocks: as fast as the sample, but not faster than the node grants requests. */
const secondsToRead = (
  height: number,
  { blocks, requests, seconds }: Sample,
  rateLimit: RateLimit | null,
): number => {
  const bySpeed = (height * seconds) / blocks;
  if (rateLimit === null) return bySpeed;
  const granted = rateLimit.requests - reservedOf(rateLimit.requests);
  return Math.max(bySpeed, ((height * requests) / blocks / granted) * rateLimit.periodSeconds);
};

/** What the chain shows: its network, its height, its genesis block, and how fast its blocks can be read. */
const readChain = async (probe: Probe, report: Mutable<SourceReport>, remarks: string[]): Promise<void> => {
  const { source, headers, verify, forgers, rules } = probe;
  const { height } = await source.tip();
  report.height = height;
  const network = await source.network();
  if (network !== null) report.network = reportedNetwork(network, height);
  const note = harmlessMilestonesNote(network);
  if (note !== null) remarks.push(note);
  const [genesis] = await source.blocks(1, 1);
  report.genesisTransactions = genesis?.numberOfTransactions ?? null;
  const requestsBefore = headers.requests;
  const inBulk = source.segments && network && (await sampleSegments(source, height, network, verify));
  const known = new KnownBlocks(source, height);
  const sample = inBulk || (await sampleRanges(known, height));
  report.sample = { ...sample, requests: headers.requests - requestsBefore };
  if (verify === 'full') report.signaturesBy = curve.name;
  report.secondsToRead = secondsToRead(height, report.sample, headers.rateLimit);
  if (probe.end !== null) await compareEnd(source, height, probe.end, remarks);
  const newest = await source.blockAt(height);
  if (newest === null || network === null) return;
  const { epoch, blocktime } = new MilestoneSchedule(network.milestones).at(height);
  const age = (Date.now() - Date.parse(epoch)) / 1_000 - newest.timestamp;
  report.newestBlockSeconds = Math.max(0, Math.round(age));
  if (age > MOST_BLOCK_TIMES * blocktime && report.kind !== 'archive') {
    remarks.push('Its newest block is old: it does not follow its chain, or the chain stands still.');
  }
  const tried = { firstBlocks: 0, ruleChanges: 0, places: 0, transactions: 0 };
  report.tried = tried;
  try {
    await tryChain(
      { blocks: known, height, network, forgers, rules, requests: () => headers.requests },
      tried,
    );
  } finally {
    tried.transactions = known.transactions;
  }
};

const probeSource = async (probe: Probe, isConfigured: boolean): Promise<SourceReport> => {
  const { raw, headers } = probe;
  const problems: string[] = [];
  const remarks: string[] = [];
  const report: Mutable<SourceReport> = {
    source: raw.name,
    kind: kindOf(raw),
    line: null,
    version: null,
    network: null,
    height: null,
    newestBlockSeconds: null,
    genesisTransactions: null,
    signaturesBy: null,
    sample: null,
    tried: null,
    rateLimit: null,
    secondsToRead: null,
    clockAheadSeconds: null,
    problems,
    remarks,
  };
  /** Returns whether `step` has succeeded. */
  const attempt = async (step: () => Promise<void>): Promise<boolean> => {
    try {
      await step();
      return true;
    } catch (error) {
      problems.push((error as Error).message);
      return false;
    }
  };
  const isThere = await attempt(async () => {
    if (raw instanceof CoreDatabaseSource) report.line = await raw.lineName();
    if (!(raw instanceof CoreApiSource)) return;
    const facts = await readNodeFacts(raw);
    [report.line, report.version] = [facts.line, facts.version];
    remarks.push(...facts.remarks);
  });
  if (isThere) {
    // With NETWORK, an indexer does not need what the node reports.
    const hasRules = isConfigured || (await attempt(async () => void (await raw.network())));
    const hasTypes = await attempt(async () => {
      const problem = await raw.chainProblem?.();
      if (problem) throw new Error(`${raw.name} ${problem}`);
    });
    if (hasRules && hasTypes) await attempt(() => readChain(probe, report, remarks));
  }
  report.rateLimit = headers.rateLimit;
  report.clockAheadSeconds = headers.clockAheadSeconds;
  if (Math.abs(headers.clockAheadSeconds ?? 0) > MOST_CLOCK_DIFFERENCE_SECONDS) {
    remarks.push("Its clock differs from this machine's: correct the one that is wrong.");
  }
  return report;
};

/**
 * Looks at each source of `BLOCK_SOURCE` for some seconds, as an indexer would use it, and stores nothing. The reports
 * are in the order of the sources. Throws `SourceConfigError` if an address cannot be used.
 */
export const probeSources = async ({
  urls,
  network,
  verify,
  forgers = 'slot',
  rules = new Rules(),
  end = null,
  ...events
}: ProbeOptions): Promise<SourceReport[]> => {
  const agreed = new AgreedNetwork({ configured: network });
  const probes = splitUrls(urls).map((url): Probe => {
    const headers = new WatchedHeaders();
    const onAnswer = headers.note.bind(headers);
    const raw = openRawSource(url, {
      ...events,
      network,
      isPatient: true,
      attempts: 2,
      onAnswer: (told) => onAnswer(told, Date.now()),
    });
    return { raw, source: new CheckedSource(raw, agreed, verify), headers, verify, forgers, rules, end };
  });
  const reports = new Map<Probe, SourceReport>();
  try {
    // Only nodes report the network, which the others need.
    const isNode = ({ raw }: Probe): boolean => raw instanceof CoreApiSource;
    for (const probe of [...probes.filter(isNode), ...probes.filter((other) => !isNode(other))]) {
      reports.set(probe, await probeSource(probe, agreed.isConfigured));
    }
  } finally {
    await Promise.all(probes.map(({ raw }) => raw.close()));
  }
  return probes.map((probe) => reports.get(probe)!);
};
