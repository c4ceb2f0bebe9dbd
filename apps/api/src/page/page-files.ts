import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AssetFile, WebAssets } from '@roundhouse/web';
import { LASTING_CACHE_CONTROL, SECURITY_HEADERS, type Headers } from '../answers/headers.js';
import { acceptanceOf, codedEtag, etagOf, ReadyBytes } from '../answers/answer.js';
import type { Coding } from '../answers/codings.js';

/** The page's assets as a provider. */
export const WEB_ASSETS = Symbol('web assets');

/** On every page in addition to `COMMON_HEADERS`. */
export const pageHeaders = ({ contentSecurityPolicy }: WebAssets): Headers => ({
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
});

/**
 * The address changes with the bytes, so they are valid forever. Only the page itself loads these files: the headers of
 * the API would add 200 bytes to each of them.
 */
const HEADERS: Headers = {
  ...SECURITY_HEADERS,
  vary: 'Accept-Encoding',
  'cache-control': LASTING_CACHE_CONTROL,
};

const compressors: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gzip: promisify<Buffer, Buffer>(gzip),
};

const formOf = async (
  { body, contentType }: AssetFile,
  route: string,
  coding: Coding | null,
): Promise<ReadyBytes> => {
  const description = { route, contentType, headers: HEADERS };
  const etag = etagOf(body);
  if (coding === null) return new ReadyBytes(description, body, etag, null);
  return new ReadyBytes(description, await compressors[coding](body), codedEtag(etag, coding), coding);
};

/** Serves the page's scripts and its icon, each in all codings from memory: there are few, and they are small. */
export const setUpPageFiles = (app: NestFastifyApplication): void => {
  const { files } = app.get<WebAssets>(WEB_ASSETS);
  const folder = files[0]!.address.split('/').slice(0, 3).join('/');
  const byName = new Map(files.map((file) => [file.address.slice(folder.length + 1), file]));
  /** Each is made at the first request for it, so the start does not wait for them. */
  const forms = new Map<string, Promise<ReadyBytes>>();
  const route = `${folder}/*`;
  const server = app.getHttpAdapter().getInstance();
  server.get<{ Params: { '*': string } }>(route, { config: { isOfPage: true } }, async (request, reply) => {
    const file = byName.get(request.params['*']);
    if (!file) return reply.callNotFound();
    const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers;
    const { coding } = acceptanceOf(accepted);
    const name = `${file.address} ${coding}`;
    const making = forms.get(name) ?? formOf(file, route, coding);
    forms.set(name, making);
    const form = await making;
    return reply.send(form.begin(reply, known) ? form.body : undefined);
  });
};
