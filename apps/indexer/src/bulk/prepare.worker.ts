import { parentPort, workerData } from 'node:worker_threads';
import {
  NodeProtocolError,
  SegmentDecoder,
  type BlockSegment,
  type SegmentDecoderOptions,
} from '@roundhouse/source/segments';
import { rowFields, type RowSizes, type RowTables } from '@roundhouse/storage/rows';
import { SentTexts } from './sent-texts.js';
import { transferables, WireWriter, type WireBlocks } from './wire.js';

// The thread of `PreparePool`: receives segments and returns checked blocks with their rows.

/** The data that a worker starts with. */
export interface PrepareOptions extends SegmentDecoderOptions {
  readonly tables: RowTables;
}

export interface PrepareRequest {
  readonly id: number;
  readonly segment: BlockSegment;
}

/** An error as it passes between threads; a `NodeProtocolError` keeps its height. */
export interface PrepareFailure {
  readonly message: string;
  readonly isProtocolError: boolean;
  readonly height?: number;
}

/** All blocks of a segment; or a failure, with the blocks below it if there are any. */
export type PrepareResponse =
  | { readonly id: number; readonly wire: WireBlocks; readonly failure?: PrepareFailure }
  | { readonly id: number; readonly failure: PrepareFailure };

if (parentPort === null) throw new Error('This file is run by the indexer in a thread of its own.');
const port = parentPort;
const options = workerData as PrepareOptions;
const decoder = new SegmentDecoder(options);
const fields = rowFields(options.tables);
const verifiedBy = options.verify === 'full' ? options.network : null;

const failureOf = (error: Error): PrepareFailure => {
  if (!(error instanceof NodeProtocolError))
    return { message: error.stack ?? error.message, isProtocolError: false };
  const { message, height } = error;
  return { message, isProtocolError: true, ...(height === undefined ? {} : { height }) };
};

const answer = (response: PrepareResponse): void =>
  port.postMessage(response, 'wire' in response ? transferables(response.wire) : []);

const texts = new SentTexts();
/** A segment's rows are about as large as those of the next one. */
let expected: RowSizes | undefined;

const prepare = ({ id, segment }: PrepareRequest): void => {
  const writer = new WireWriter(texts, fields, expected, verifiedBy);
  try {
    decoder.decode(segment, (text) => writer.add(text));
    const wire = writer.finish();
    expected = {
      blockBytes: wire.blockRows.bytes.length,
      transactionBytes: wire.transactionRows.bytes.length,
    };
    answer({ id, wire });
  } catch (error) {
    const failure = failureOf(error as Error);
    const isBehindBlocks = failure.height !== undefined && failure.height > segment.firstHeight;
    answer(isBehindBlocks ? { id, wire: writer.finish(), failure } : { id, failure });
  }
};

port.on('message', prepare);
