import { fileURLToPath } from 'node:url';

const path = (relative: string): string =>
  fileURLToPath(new URL(`../../../test-data/${relative}`, import.meta.url));

export type RecordedLine = 'core-2.4' | 'core-3.9' | 'core-3.9-full';

/** The settings that use a recorded chain of a real node as an archive. */
export const recording = (line: RecordedLine) => ({
  BLOCK_SOURCE: `file:${path(`${line}/chain.ndjson.gz`)}`,
  NETWORK: path(`${line}/network.json`),
});

/** The settings that use a chain of `test-data/odd-chains` as an archive. */
export const oddChain = (name: string) => ({
  BLOCK_SOURCE: `file:${path(`odd-chains/${name}/chain.ndjson`)}`,
  NETWORK: path(`odd-chains/${name}/network.json`),
});

/** The last height of `core-2.4` and `core-3.9`. */
export const RECORDED_HEAD = 322;
