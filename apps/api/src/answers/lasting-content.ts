import type { LargeContent } from './large-content.js';

/** Content that neither a later block nor a fork can change. */
export class LastingContent<T extends object = object> {
  constructor(readonly content: T | LargeContent<T>) {}
}
