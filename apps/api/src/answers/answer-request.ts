import type { DtoClass } from '@roundhouse/dto';
import type { ChainView } from '../chain/chain-view.js';

/** Makes the content of an answer from one view of the chain. It may be asked again with a newer view. */
export type Recipe<T extends object> = (chain: ChainView) => T | Promise<T>;

export interface AnswerRequest<T extends object = object> {
  /** Route and normalised query. */
  readonly key: string;
  /** For the figures. */
  readonly route: string;
  readonly dto: DtoClass<T>;
  readonly recipe: Recipe<T>;
  /** Whether the answer changes with the node's height, too. */
  readonly followsSource: boolean;
}
