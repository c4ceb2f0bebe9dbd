import { RowStreams } from './row-streams.js';

/** Streams of one connection. */
export const openStreams = (url: string): RowStreams =>
  new RowStreams({ url, poolSize: 1, applicationName: 'streams', onPoolError: () => undefined });

/** Reads all pieces of a list. */
export const textOf = async (pieces: AsyncIterable<Buffer>): Promise<string> => {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
};
