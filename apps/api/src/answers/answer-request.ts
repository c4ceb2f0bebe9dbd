import type { ReadyJson } from '@roundhouse/dto';
import type { ChainView } from '../chain/chain-tracker.service.js';
import type { PlacesName } from '../limits/places.service.js';
import type { Headers } from './headers.js';

/** The content of an answer that has one list too large for memory. */
export class LargeContent<T extends object = object> {
  /**
   * @param contentWith the content around the list
   * @param read reads the objects of the list, separated by commas, at the head of the content; see `RowStreams.read`
   * @param staysRight whether it can be read and sent although the head has moved on
   */
  constructor(
    readonly contentWith: (list: ReadyJson) => T,
    readonly read: () => AsyncGenerator<Buffer, void, undefined>,
    readonly staysRight = false,
  ) {}
}

/** Content that neither a later block nor a fork can change. */
export class LastingContent<T extends object = object> {
  constructor(readonly content: T | LargeContent<T>) {}
}

export type Content<T extends object> = T | LargeContent<T> | LastingContent<T>;

/** How the content of an answer becomes bytes with headers. */
export interface Writing<T extends object> {
  readonly contentType: string;
  /** Sent in addition to the headers of every answer. */
  readonly headers?: Headers;
  write(content: T): string;
}

/** What one request changes about how its answer is made. */
interface Making<T extends object> {
  /** Where the content is made. `streams`: in the place in which it is also sent. (Default: `answers`) */
  readonly places?: PlacesName | 'streams';
  /** (Default: as JSON) */
  readonly writing?: Writing<T>;
  /** What the answer depends on besides the parameters. (Default: nothing) */
  readonly key?: string;
  /**
   * False if keeping the answer would only evict answers that are requested again; `ifShared`: unless two requests waited for it.
   * (Default: true)
   */
  readonly isKept?: boolean | 'ifShared';
}

/** Makes the content of an answer from one view of the chain. It may be called again with a newer view. */
export interface MakeContent<T extends object> extends Making<T> {
  (chain: ChainView): Content<T> | Promise<Content<T>>;
}

/** What a handler returns if its answer is not made like most. */
export const made = <T extends object>(how: Making<T>, make: MakeContent<T>): MakeContent<T> =>
  Object.assign((chain: ChainView) => make(chain), how);

/** What is fixed about the answers of a route. */
export interface AnswerMetadata {
  /** Absent if each handler says it. */
  readonly writing?: Writing<object>;
  /** Whether they also change with the node's height. */
  readonly followsSource?: boolean;
  /** False if one costs too much to be made before it is requested. */
  readonly isRenewed?: boolean;
  /** Whether they are refused during a first sync, as `ChainView.assertListIndexes` says. */
  readonly needsListIndexes?: boolean;
}

export interface AnswerRequest<T extends object = object> extends AnswerMetadata {
  /** Route and parameters. */
  readonly key: string;
  /** What finds the ready answer without parsing. Absent if nothing may: its route is guarded, or its headers choose its meaning. */
  readonly url?: string;
  readonly writing: Writing<T>;
  readonly makeContent: MakeContent<T>;
}
