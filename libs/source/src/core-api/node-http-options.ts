import type { IncomingHttpHeaders } from 'node:http';
import type { NodeUnavailableError } from '../errors/node-errors.js';

export interface NodeHttpOptions {
  /** The setting or option that names the node; errors refer to it. (Default: BLOCK_SOURCE) */
  readonly setting?: string;
  /** For one request, from its start to the last byte of the answer. */
  readonly timeoutMs: number;
  /** The number of tries per request in all. */
  readonly attempts: number;
  /** The wait before the second try; it doubles with each further one. */
  readonly backoffMs: number;
  /** Whether all requests give way to those of an indexer that uses the same node. (Default: false) */
  readonly isPatient?: boolean;
  /** Called for each failure that may be retried. */
  readonly onUnavailable?: (error: NodeUnavailableError) => void;
  /** Called with the headers of each answer, also of a refusal. */
  readonly onAnswer?: (headers: IncomingHttpHeaders) => void;
  /** Called once for each period in which the node grants no requests, if that is longer than 2 s. */
  readonly onPause?: (pause: SourcePause) => void;
}

/** A period in which a source is not used, because it grants no more requests. */
export interface SourcePause {
  readonly source: string;
  readonly reason: string;
  readonly durationMs: number;
}

export interface NodeAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** An answer as it arrived. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}
