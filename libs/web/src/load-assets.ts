import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PageFrame } from './page/document.js';

export interface AssetFile {
  /** The address at which it is served. It changes whenever any of the files changes. */
  readonly address: string;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface WebAssets {
  readonly frame: PageFrame;
  readonly files: readonly AssetFile[];
  /** The Content-Security-Policy of every page, computed from the exact bytes of the inline parts. */
  readonly contentSecurityPolicy: string;
}

/** The browser's code was not compiled. */
export class AssetsMissingError extends Error {
  readonly code = 'ASSETS_MISSING';

  constructor(path: string) {
    super(`The scripts of the status page are missing (${path}): run npm run build.`);
    this.name = 'AssetsMissingError';
  }
}

// This file lies in src/ or in dist/, both in the package's folder.
const inPackage = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const STYLES = ['tokens', 'page', 'tables', 'charts'].map((name) => `assets/${name}.css`);

const MAIN = 'browser/main.js';

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

const readText = (path: string): string => readFileSync(inPackage(path), 'utf8');

const IMPORT = /(?:\bfrom|\bimport)\s*'(\.[^']+)'/g;

/** The compiled module `path` and all that it imports, itself first. */
const modulesOf = (path: string, found = new Map<string, Buffer>()): Map<string, Buffer> => {
  const file = inPackage(`dist/${path}`);
  if (!existsSync(file)) throw new AssetsMissingError(file);
  const body = readFileSync(file);
  found.set(path, body);
  for (const [, imported] of body.toString().matchAll(IMPORT)) {
    const next = new URL(imported!, `file:///${path}`).pathname.slice(1);
    if (!found.has(next)) modulesOf(next, found);
  }
  return found;
};

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const policyOf = ({ style, themeScript }: Pick<PageFrame, 'style' | 'themeScript'>): string =>
  [
    `default-src 'none'`,
    `script-src 'self' ${sourceOf(themeScript)}`,
    `style-src ${sourceOf(style)}`,
    `img-src 'self'`,
    `connect-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

/** Reads all parts of the page except its markup. Throws `AssetsMissingError` if nothing was compiled. */
export const loadAssets = (): WebAssets => {
  const style = STYLES.map(readText).join('');
  const themeScript = readText('assets/theme.js');
  const modules = modulesOf(MAIN);
  const morph = readFileSync(fileURLToPath(import.meta.resolve('idiomorph/dist/idiomorph.min.js')));
  const contents = [
    ...[...modules].map(([path, body]) => ({ path, body, contentType: SCRIPT_TYPE })),
    { path: 'idiomorph.js', body: morph, contentType: SCRIPT_TYPE },
    { path: 'icon.svg', body: readFileSync(inPackage('assets/icon.svg')), contentType: 'image/svg+xml' },
  ];
  const hash = createHash('sha256');
  for (const { path, body } of contents) hash.update(`${path}\0${body.length}\0`).update(body);
  const folder = `/assets/${hash.digest('hex').slice(0, 16)}`;
  const addressOf = (path: string): string => `${folder}/${path}`;
  return {
    frame: {
      style,
      themeScript,
      icon: addressOf('icon.svg'),
      deferredScripts: [addressOf('idiomorph.js')],
      mainModule: addressOf(MAIN),
      preloadedModules: [...modules.keys()].filter((path) => path !== MAIN).map(addressOf),
    },
    files: contents.map(({ path, body, contentType }) => ({ address: addressOf(path), contentType, body })),
    contentSecurityPolicy: policyOf({ style, themeScript }),
  };
};
