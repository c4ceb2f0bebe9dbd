import { readFileSync } from 'node:fs';
import {
  NODE_LINES,
  NodeShape,
  usernamesIn,
  type ArchiveBlock,
  type NodeBlock,
  type NodeConfiguration,
  type NodeText,
} from '@roundhouse/core-node';
import { readRecording, recordingFile, type RecordedChain, type Recording } from '../recordings.js';
import { dataTexts } from './json-text.js';

/** An answer of a node's public API as it was recorded. */
export interface RecordedAnswer {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly body: string;
}

const API_FILES = { 'core-2.4': 'core-api-v2.ndjson.gz', 'core-3.9': 'core-api-v3.ndjson.gz' } as const;

export const recordedAnswers = (recording: Recording): RecordedAnswer[] =>
  readRecording<RecordedAnswer>(recording, API_FILES[recording]);

// `first` and `last` come from the node's memory and have other fields.
const HAS_CHAIN_DATA = /^\/api(\/v2)?\/(blocks|transactions)(?!\/(first|last|types|fees|unconfirmed))/;

const IN_BLOCK = /\/blocks\/\d+\/transactions/;

type ShownTexts = Readonly<Partial<Record<'plain' | 'inBlock' | 'raw', string>>>;

/** Every block and transaction in the answers, by id. If a form occurs twice, only `confirmations` differs. */
const shownTexts = (answers: readonly RecordedAnswer[]): Map<string, ShownTexts> => {
  const shown = new Map<string, ShownTexts>();
  for (const { method, path, status, body } of answers) {
    if (method !== 'GET' || status !== 200 || !HAS_CHAIN_DATA.test(path)) continue;
    const plainForm = IN_BLOCK.test(path) ? 'inBlock' : 'plain';
    const form = path.includes('transform=false') ? 'raw' : plainForm;
    for (const text of dataTexts(body)) {
      const { id } = JSON.parse(text) as { id: string };
      shown.set(id, { ...shown.get(id), [form]: text });
    }
  }
  return shown;
};

/**
 * The chain of a recording in its node's own texts. The archive determines the order, the recorded answers contain
 * the texts.
 */
export const recordedNodeChain = (recording: Recording): readonly NodeBlock[] => {
  const shown = shownTexts(recordedAnswers(recording));
  const textsOf = (id: string): NodeText & { readonly inBlock: string } => {
    const { plain, inBlock = '', raw = null } = shown.get(id) ?? {};
    if (plain === undefined) throw new Error(`No recorded answer of ${recording} shows ${id}.`);
    return { plain, inBlock, raw };
  };
  return recordedBlocks(recording).map((block) => ({
    ...headOf(block),
    ...textsOf(block.id),
    transactions: block.transactions.map(({ id }, sequence) => ({ id, sequence, ...textsOf(id) })),
  }));
};

const headOf = ({ id, height, timestamp, generatorPublicKey }: ArchiveBlock) => ({
  id,
  height,
  timestamp,
  generatorPublicKey,
});

/** The blocks of a recording as its archive has them. */
export const recordedBlocks = (recording: RecordedChain): readonly ArchiveBlock[] =>
  readRecording<ArchiveBlock>(recording, 'chain.ndjson.gz');

export const recordedConfiguration = (recording: RecordedChain): NodeConfiguration =>
  JSON.parse(readFileSync(recordingFile(recording, 'network.json'), 'utf8')) as NodeConfiguration;

/** The recorded fork of the 2.4 chain, from its genesis block on: 300 common blocks and 30 of its own. */
export const recordedNodeFork = (chain: readonly NodeBlock[]): readonly NodeBlock[] => {
  const fork = readRecording<ArchiveBlock>('core-2.4', 'fork-from-301.ndjson.gz');
  const known = [...recordedBlocks('core-2.4').slice(0, fork[0]!.height - 1), ...fork];
  const shape = new NodeShape(NODE_LINES['2.4'], recordedConfiguration('core-2.4'), usernamesIn(known));
  return [...chain.slice(0, fork[0]!.height - 1), ...fork.map((block) => shape.show(block))];
};
