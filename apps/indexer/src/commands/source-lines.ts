import type { SourceReport } from '@roundhouse/source';
import { readableDuration } from '../command-line/progress.js';

type Row = readonly [name: string, text: string];

const grouped = (number: number): string => number.toLocaleString('en-US');

const count = (number: number, one: string): string => `${grouped(number)} ${one}${number === 1 ? '' : 's'}`;

const perSecond = (number: number, seconds: number): string =>
  grouped(Math.round(number / Math.max(seconds, 0.001)));

const KINDS: Readonly<Record<SourceReport['kind'], string>> = {
  api: "a node's public API",
  database: "a node's database",
  archive: 'an archive',
};

const lineText = ({ kind, line, version }: SourceReport): string =>
  [KINDS[kind], line, version && `version ${version}`].filter(Boolean).join(', ');

const networkRows = ({ network }: SourceReport): Row[] => {
  if (network === null) return [];
  const { name, token, pubKeyHash, activeDelegates, blockSeconds, nethash } = network;
  return [
    ['network', `${name}, token ${token}, address prefix ${pubKeyHash}`],
    ['', `${activeDelegates} active delegates, a block every ${blockSeconds} s`],
    ['', `nethash ${nethash}`],
  ];
};

const speedRows = ({ sample, rateLimit, secondsToRead }: SourceReport): Row[] => {
  if (sample === null) return [];
  const { blocks, transactions, requests, seconds, lowestHeight, highestHeight } = sample;
  const how = requests === 0 ? '' : ` in ${count(requests, 'request')}`;
  return [
    ['speed', `${perSecond(blocks, seconds)} blocks/s, ${perSecond(transactions, seconds)} transactions/s`],
    [
      '',
      `${count(blocks, 'block')}${how}, from heights ${grouped(lowestHeight)} to ${grouped(highestHeight)}, read and checked`,
    ],
    [
      'to sync',
      `${readableDuration(secondsToRead ?? 0)} to read all blocks${rateLimit === null ? '' : ' within the rate limit'}`,
    ],
  ];
};

const signatureRows = ({ sample, signaturesBy: by }: SourceReport): Row[] => {
  if (sample === null) return [];
  const text =
    by === null
      ? 'not verified (VERIFY=hash): a lying source could invent blocks in the names of the right delegates'
      : `verified by ${by}`;
  return [['signatures', text]];
};

const triedRows = ({ tried }: SourceReport): Row[] => {
  if (tried === null) return [];
  const { firstBlocks, ruleChanges, places, transactions } = tried;
  return [
    [
      'tried',
      `the first ${count(firstBlocks, 'block')} in a ledger, ${count(ruleChanges, 'change')} of rules, ` +
        `${count(places, 'place')} in between, ${count(transactions, 'transaction')}`,
    ],
  ];
};

const clockText = (ahead: number): string => {
  if (ahead === 0) return "agrees with this machine's";
  return `${readableDuration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} this machine's`;
};

const rowsOf = (report: SourceReport): Row[] => {
  const { source, kind, height, newestBlockSeconds, genesisTransactions, rateLimit, clockAheadSeconds } =
    report;
  const age =
    newestBlockSeconds === null ? '' : `, its newest block is ${readableDuration(newestBlockSeconds)} old`;
  const rows: Row[] = [['source', source], ['kind', lineText(report)], ...networkRows(report)];
  if (height !== null) rows.push(['height', `${grouped(height)}${age}`]);
  if (genesisTransactions !== null) {
    rows.push(['genesis', `there, with ${count(genesisTransactions, 'transaction')}`]);
  }
  rows.push(...speedRows(report), ...triedRows(report), ...signatureRows(report));
  if (kind === 'api' && height !== null) {
    rows.push([
      'rate limit',
      rateLimit === null
        ? 'none shown'
        : `${count(rateLimit.requests, 'request')} in ${rateLimit.periodSeconds} s`,
    ]);
  }
  if (clockAheadSeconds !== null) rows.push(['clock', clockText(clockAheadSeconds)]);
  rows.push(...report.remarks.map((remark): Row => ['note', remark]));
  return rows;
};

/** One report for people: a row for each thing, and last whether the source can be used. */
export const sourceLines = (report: SourceReport): string[] => {
  const { problems } = report;
  const rows: Row[] = [
    ...rowsOf(report),
    ...problems.map((problem): Row => ['problem', problem]),
    ['usable', problems.length === 0 ? 'yes' : 'no'],
  ];
  return rows.map(([name, text]) => `${name.padEnd(12)}${text}`);
};
