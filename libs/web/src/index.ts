export { loadAssets, type AssetFile, type WebAssets } from './load-assets.js';
export { newAddressOf } from './page/addresses.js';
export { Elsewhere, NothingHere, type PageReader, type Shown } from './page/define-page.js';
export { renderPage, renderTrouble } from './page/document.js';
export { PAGES } from './pages/index.js';
export { parseAnswer } from './status/parse-answer.js';
