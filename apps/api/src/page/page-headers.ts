import type { WebAssets } from '@roundhouse/web';

/** On every page in addition to `COMMON_HEADERS`, in the flat form that `writeHead` takes. */
export const pageHeaders = ({ contentSecurityPolicy }: WebAssets): readonly string[] => [
  'Content-Security-Policy',
  contentSecurityPolicy,
  'Cross-Origin-Opener-Policy',
  'same-origin',
];

/** The page's assets as a provider. */
export const WEB_ASSETS = Symbol('web assets');
