export { loadAssets, type AssetFile, type WebAssets } from './load-assets.js';
export { renderPage, renderTrouble, type Trouble } from './page/document.js';
export { readLocation, writeLocation, type PageLocation } from './page/location.js';
export {
  delegatesQuery,
  delegateView,
  mayBeUsername,
  ROUNDS_PER_CHART,
  transactionsQuery,
  VOTERS_TO_READ,
  type AccountView,
  type BlockView,
  type DelegateView,
  type OverviewView,
  type PageState,
  type ServedState,
  type TransactionList,
  type TransactionView,
  type View,
} from './page/page-state.js';
export { parseAnswer } from './status/parse-answer.js';
