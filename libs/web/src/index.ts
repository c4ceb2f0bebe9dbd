export { loadAssets, type AssetFile, type WebAssets } from './load-assets.js';
export { renderPage, renderTrouble, type Trouble } from './page/document.js';
export { readLocation, VOTERS_PER_PAGE, writeLocation, type PageLocation } from './page/location.js';
export type { PageState, View } from './page/page-state.js';
export { readBlockAnswer, readVotersAnswer } from './status/details.js';
export { readStatus, type Status } from './status/status.js';
