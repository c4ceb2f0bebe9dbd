import type { Block, Voter } from '../status/details.js';
import type { Delegate, Status } from '../status/status.js';
import type { DelegateList } from './location.js';

/** What the page shows in its main part. */
export type View =
  | { readonly kind: 'overview'; readonly list: DelegateList }
  | {
      readonly kind: 'delegate';
      readonly delegate: Delegate;
      readonly voters: readonly Voter[];
      readonly offset: number;
      readonly hasMoreVoters: boolean;
    }
  | { readonly kind: 'block'; readonly block: Block; readonly isUndone: boolean };

/** What comes from elsewhere than the clock and the link: enough for a page that is rendered once. */
export interface PageState {
  readonly status: Status;
  readonly view: View;
  /** Milliseconds since 1970; null where no clock runs: the page tells times of day then. */
  readonly now: number | null;
}
