import { writeAnswer, type DtoClass } from '@roundhouse/dto';
import type { ChainView } from '../chain/chain-view.js';
import { JSON_TYPE } from '../http/headers.js';

/** Makes the content of an answer from one view of the chain. It may be asked again with a newer view. */
export type Recipe<T extends object> = (chain: ChainView) => T | Promise<T>;

/** How the content of an answer becomes bytes, and what is said of them. */
export interface Writing<T extends object> {
  readonly contentType: string;
  /** Beside those of every answer, in the flat form that `writeHead` takes. */
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
  /** For the figures. */
  readonly route: string;
  readonly writing: Writing<T>;
  readonly recipe: Recipe<T>;
  /** Whether the answer changes with the node's height, too. */
  readonly followsSource: boolean;
  /** False where keeping it would only push out answers that are asked for again. */
  readonly isKept?: boolean;
}
