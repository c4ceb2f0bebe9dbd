import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveLine } from '@roundhouse/blocks';
import type { Block } from '@roundhouse/chain';
import {
  CoreApiStandIn,
  createEmptyDatabase,
  loadCoreLines,
  replaceCoreHead,
  type ArchiveBlock,
  type NodeConfiguration,
} from '@roundhouse/testing';

/** A source of a chain's blocks that shows any block above them. */
export interface LyingSource {
  /** As refusals name it. */
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  show(head: Block): Promise<void>;
  close(): Promise<void>;
}

type OpenSource = (blocks: readonly Block[], configuration: NodeConfiguration) => Promise<LyingSource>;

const rawBlock = (block: Block): ArchiveBlock => JSON.parse(archiveLine(block)) as ArchiveBlock;

/** A folder with the network's file, for sources that do not tell their network. */
const openFolder = async (configuration: NodeConfiguration): Promise<{ folder: string; network: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'roundhouse-lies-'));
  const network = join(folder, 'network.json');
  await writeFile(network, JSON.stringify(configuration));
  return { folder, network };
};

const openNode: OpenSource = async (blocks, configuration) => {
  const raw = blocks.map(rawBlock);
  const node = await CoreApiStandIn.startLine('3.0.6-3.9', configuration, raw);
  return {
    name: node.url,
    settings: { BLOCK_SOURCE: node.url },
    show: async (head) => node.show([...raw, rawBlock(head)]),
    close: () => node.close(),
  };
};

const openDatabase: OpenSource = async (blocks, configuration) => {
  const { folder, network } = await openFolder(configuration);
  const database = await createEmptyDatabase();
  await loadCoreLines(database.url, blocks.map(archiveLine));
  const { host, pathname } = new URL(database.url);
  return {
    name: `postgres://${host}${pathname}`,
    settings: { BLOCK_SOURCE: database.url, NETWORK: network },
    show: (head) => replaceCoreHead(database.url, blocks.length, archiveLine(head)),
    close: async () => {
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
};

const openArchive: OpenSource = async (blocks, configuration) => {
  const { folder, network } = await openFolder(configuration);
  const file = join(folder, 'chain.ndjson');
  const show = (...above: readonly Block[]): Promise<void> =>
    writeFile(file, [...blocks, ...above].map((block) => `${archiveLine(block)}\n`).join(''));
  await show();
  return {
    name: `file:${file}`,
    settings: { BLOCK_SOURCE: `file:${file}`, NETWORK: network },
    show,
    close: () => rm(folder, { recursive: true }),
  };
};

export const LYING_SOURCES = {
  "a node's API": openNode,
  "a node's database": openDatabase,
  'an archive': openArchive,
} as const;

export type LyingSourceKind = keyof typeof LYING_SOURCES;
