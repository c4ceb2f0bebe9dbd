import { writeAnswer, type DtoClass } from '@roundhouse/dto';
import type { ChainView } from '../chain/chain-view.js';
import type { PlacesName } from '../clients/places.service.js';
import { JSON_TYPE } from './answer-headers.js';
import type { LargeContent } from './large-content.js';
import type { LastingContent } from './lasting-content.js';

type Content<T extends object> = T | LargeContent<T> | LastingContent<T>;

/** Makes the content of an answer from one view of the chain. It may be called again with a newer view. */
export interface MakeContent<T extends object> {
  (chain: ChainView): Content<T> | Promise<Content<T>>;
  /** Where it is called. (Default: `answers`) */
  readonly places?: PlacesName;
}

/** Lets `make` be called in these places only. */
export const inPlaces = <T extends object>(places: PlacesName, make: MakeContent<T>): MakeContent<T> =>
  Object.assign((chain: ChainView) => make(chain), { places });

/** How the content of an answer becomes bytes with headers. */
export interface Writing<T extends object> {
  readonly contentType: string;
  /** Sent in addition to the headers of every answer; each name is followed by its value. */
  readonly headers: readonly string[];
  write(content: T): string;
}

/** JSON with exactly the documented fields. */
export const asJson = <T extends object>(dto: DtoClass<T>): Writing<T> => ({
  contentType: JSON_TYPE,
  headers: [],
  write: (content) => writeAnswer(dto, content),
});

export interface AnswerRequest<T extends object = object> {
  /** Route and normalised query. */
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
