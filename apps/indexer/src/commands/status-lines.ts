import type { IndexStatus } from '@roundhouse/storage';
import { readableDuration } from '../command-line/progress.js';
import { lagOf, type Queues, type Status } from './read-status.js';

type Head = NonNullable<IndexStatus['head']>;

const ARKTOSHI_DIGITS = 8;

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** For example `125,000,000.00000001`, with every digit. */
const tokens = (arktoshi: bigint): string => {
  const digits = arktoshi.toString().padStart(ARKTOSHI_DIGITS + 1, '0');
  return `${grouped(digits.slice(0, -ARKTOSHI_DIGITS))}.${digits.slice(-ARKTOSHI_DIGITS)}`;
};

const ago = (moment: Date, now: Date): string =>
  `${readableDuration((now.getTime() - moment.getTime()) / 1_000)} ago`;

const count = (number: number, one: string): string =>
  `${grouped(String(number))} ${one}${number === 1 ? '' : 's'}`;

const bytes = (number: number): string =>
  number < 1_048_576 ? `${Math.ceil(number / 1_024)} KiB` : `${(number / 1_048_576).toFixed(1)} MiB`;

const UNKNOWN_CLAIMS =
  'unknown if nodes miscount claims of locks: an earlier version began this index. Run "indexer rebuild"';

const NO_DETAILS =
  'the attributes of wallets, the weights of forgers and daily fees are missing: an earlier version began this index. Run "indexer rebuild"';

const NO_STATISTICS =
  'their statistics are missing: an earlier version began this index. Run "indexer rebuild"';

const misplacedText = ({ blocks, newest }: NonNullable<Head['misplaced']>): string =>
  `FORGERS=active accepted ${count(blocks, 'block')} whose forger does not have the slot, the newest at height ${newest}`;

/** Whether the chain ended, and a source that has another end. */
const endText = ({ end, source }: IndexStatus): string => {
  if (end === null) return '';
  if (end.problem !== null) return `not ${end.id === null ? '' : 'proven '}at ${end.height}: ${end.problem}`;
  if (end.provenAt !== null)
    return `the chain ended at ${end.height}: complete and proven, no source is needed`;
  if (end.id !== null) return `the chain ended at ${end.height}: all blocks are to be verified`;
  if (source === null || source.height === end.height) return `at ${end.height}, by FINAL_HEIGHT`;
  return source.height > end.height
    ? `at ${end.height}, by FINAL_HEIGHT: the source goes on past it`
    : `at ${end.height}, by FINAL_HEIGHT: the source has no such block yet`;
};

const headRows = (head: Head, index: IndexStatus, lag: number | null, now: Date) => {
  const { network, source, end } = index;
  const { round, lastHeight, firstHeight } = head.nextRound;
  const size = lastHeight - firstHeight + 1;
  return [
    ['head', `${head.height} (${head.id})`],
    ['', `forged ${ago(head.forgedAt, now)}, indexed ${ago(head.indexedAt, now)}`],
    [
      'source',
      source === null
        ? 'not asked yet'
        : `${source.height}, asked ${ago(source.checkedAt, now)}, ${source.name}`,
    ],
    ...(end === null ? [] : [['end', endText(index)]]),
    ['lag', lag === null ? 'unknown' : lag === 0 ? 'none' : count(lag, 'block')],
    ['round', `${round}: ${head.height - firstHeight + 1} of ${size} blocks forged`],
    ['supply', `${tokens(head.supply)} ${network?.token ?? ''}`.trimEnd()],
    ['delegates', grouped(String(head.delegates))],
    ['undo', `back to height ${head.lowestUndo}`],
    ...(head.knowsClaims ? [] : [['forgers', UNKNOWN_CLAIMS]]),
    ...(head.hasDetails ? [] : [['details', NO_DETAILS]]),
    ...(head.hasStatistics ? [] : [['days', NO_STATISTICS]]),
    ...(head.misplaced === null ? [] : [['misplaced', misplacedText(head.misplaced)]]),
  ];
};

const indexesText = ({ missingIndexes: [first, ...others], indexBuild: build }: IndexStatus): string => {
  if (build === null)
    return `lists lack ${[first, ...others].join(', ')}: built when the index has nearly reached its source`;
  const percent = build.percent === null ? '' : ` ${build.percent} %`;
  const after = others.length === 0 ? '' : `; after it ${others.join(', ')}`;
  return `building ${first} (${build.phase ?? 'under way'}${percent})${after}`;
};

const queueText = ({ kind, jobs, problem }: Queues): string => {
  const where = `in ${kind === 'redis' ? 'Redis' : 'PostgreSQL'}`;
  if (jobs === null) return `${where}: ${problem ?? 'unknown'}`;
  const each = jobs.map(({ queue, waiting, active, delayed, failed }) => {
    const failures = failed > 0 ? `, ${failed} failed` : '';
    return `${queue} ${waiting + delayed} waiting, ${active} active${failures}`;
  });
  return `${each.join('; ')} (${where})`;
};

const schemaText = ({ schema }: Status): string => {
  switch (schema.kind) {
    case 'known':
      return 'up to date';
    case 'older':
      return `lacks ${schema.missing.join(', ')}: run "indexer migrate"`;
    case 'obsolete':
      return `of an older version. ${schema.problem}`;
    case 'newer':
      return `of a newer version (it has ${schema.unknown.join(', ')}): use the indexer of that version`;
  }
};

/** For people: one fact per line. */
export const statusLines = (status: Status, now: Date): string[] => {
  const { index, queues } = status;
  const rows: string[][] = [['schema', schemaText(status)]];
  if (index !== null) {
    const { network, head, refused, staged, writer } = index;
    rows.push([
      'network',
      network === null ? 'none yet: no indexer ran' : `${network.name} (${network.nethash})`,
    ]);
    if (head === null) rows.push(['head', 'nothing is indexed yet']);
    else rows.push(...headRows(head, index, lagOf(status), now));
    if (refused !== null) {
      const { source, reason, refusals } = refused;
      rows.push(['refused', `${reason} (given by ${source}, refused ${count(refusals, 'time')} in a row)`]);
    }
    if (head !== null && index.missingIndexes.length > 0) rows.push(['indexes', indexesText(index)]);
    rows.push([
      'staged',
      staged.ranges === 0
        ? 'nothing'
        : `${count(staged.blocks, 'block')} in ${count(staged.ranges, 'range')}, ${bytes(staged.bytes)}`,
    ]);
    rows.push(['views', status.hasSqlViews ? "on: programs find a node's tables" : 'off']);
    if (queues !== null) rows.push(['queues', queueText(queues)]);
    rows.push([
      'writer',
      writer === null
        ? 'none: no indexer writes'
        : `an indexer${writer.address === null ? '' : ` at ${writer.address}`}, for ${ago(writer.since, now).replace(' ago', '')}`,
    ]);
  }
  return rows.map(([name = '', text = '']) => `${name.padEnd(10)}${text}`.trimEnd());
};

/** The same in one line, for logs. */
export const statusLine = (status: Status, now: Date): string => {
  const { index } = status;
  if (index === null) return `schema ${schemaText(status)}`;
  const { head, refused, missingIndexes, staged, writer } = index;
  const lag = lagOf(status);
  return [
    now.toISOString(),
    head === null ? 'nothing indexed' : `height ${head.height}`,
    `lag ${lag ?? 'unknown'}`,
    ...(refused === null ? [] : [`block ${refused.height} refused ${refused.refusals} times`]),
    ...(head === null || missingIndexes.length === 0 ? [] : [`${missingIndexes.length} indexes missing`]),
    `${staged.blocks} blocks staged`,
    writer === null ? 'no writer' : 'a writer',
  ].join(', ');
};
