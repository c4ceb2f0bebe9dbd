import type { ChainView } from '../chain/chain-tracker.service.js';
import type { PlacesName } from '../clients/places.service.js';
import type { Headers } from './headers.js';
import type { LargeContent } from './large-content.js';
import type { LastingContent } from './lasting-content.js';

type Content<T extends object> = T | LargeContent<T> | LastingContent<T>;

/** How the content of an answer becomes bytes with headers. */
export interface Writing<T extends object> {
  readonly contentType: string;
  /** Sent in addition to the headers of every answer. */
  readonly headers: Headers;
  write(content: T): string;
}

/** What one request changes about how its answer is made. */
interface Making<T extends object> {
  /** Where the content is made. (Default: `answers`) */
  readonly places?: PlacesName;
  /** (Default: as JSON) */
  readonly writing?: Writing<T>;
  /** What the answer depends on besides the parameters. (Default: nothing) */
  readonly key?: string;
  /** False if keeping the answer would only evict answers that are requested again. (Default: true) */
  readonly isKept?: boolean;
}

/** Makes the content of an answer from one view of the chain. It may be called again with a newer view. */
export interface MakeContent<T extends object> extends Making<T> {
  (chain: ChainView): Content<T> | Promise<Content<T>>;
}

/** What a handler returns if its answer is not made like most. */
export const made = <T extends object>(how: Making<T>, make: MakeContent<T>): MakeContent<T> =>
  Object.assign((chain: ChainView) => make(chain), how);

export interface AnswerRequest<T extends object = object> {
  /** Route and parameters. */
  readonly key: string;
  /** For metrics and traces. */
  readonly route: string;
  readonly writing: Writing<T>;
  readonly makeContent: MakeContent<T>;
  /** Whether the answer also changes with the node's height. */
  readonly followsSource: boolean;
  /** False if keeping the answer would only evict answers that are requested again. */
  readonly isKept?: boolean;
  /** False if it costs too much to be made before it is requested. */
  readonly isRenewed?: boolean;
}
