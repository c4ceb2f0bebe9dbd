import type { DtoClass } from '@roundhouse/dto';

export const ENDPOINT = Symbol('endpoint');

export interface EndpointOptions<T extends object = object> {
  /** One sentence for OpenAPI. */
  readonly summary: string;
  readonly answer: DtoClass<T>;
  readonly query?: DtoClass;
  /** Whether the answer changes with the node's height, not the head alone. */
  readonly followsSource?: boolean;
  /** What it may fail to find, where it looks for one thing. */
  readonly finds?: string;
}
