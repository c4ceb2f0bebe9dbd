import type { Headers } from '../answers/headers.js';
import type { WebAssets } from '@roundhouse/web';

/** On every page in addition to `COMMON_HEADERS`. */
export const pageHeaders = ({ contentSecurityPolicy }: WebAssets): Headers => ({
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
});

/** The page's assets as a provider. */
export const WEB_ASSETS = Symbol('web assets');
