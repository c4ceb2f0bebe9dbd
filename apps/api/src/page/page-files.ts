import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AssetFile, WebAssets } from '@roundhouse/web';
import { LASTING_CACHE_CONTROL, SECURITY_HEADERS, type Headers } from '../answers/headers.js';
import { acceptanceOf, codedEtag, etagOf, ReadyBytes } from '../answers/answer.js';
import type { Coding } from '../answers/codings.js';
import { WEB_ASSETS } from './page-headers.js';

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

type Forms = Readonly<Record<Coding | 'identity', ReadyBytes>>;

const formsOf = async ({ body, contentType }: AssetFile, route: string): Promise<Forms> => {
  const description = { route, contentType, headers: HEADERS };
  const etag = etagOf(body);
  const coded = async (coding: Coding): Promise<ReadyBytes> =>
    new ReadyBytes(description, await compressors[coding](body), codedEtag(etag, coding), coding);
  return {
    identity: new ReadyBytes(description, body, etag, null),
    br: await coded('br'),
    gzip: await coded('gzip'),
  };
};

/** Makes the forms at the first request for the file, so the start does not wait for them. */
const formsOnce = (file: AssetFile, route: string): (() => Promise<Forms>) => {
  let forms: Promise<Forms> | undefined;
  return () => (forms ??= formsOf(file, route));
};

/** Serves the page's scripts and its icon, each in all codings from memory: there are few, and they are small. */
export const setUpPageFiles = (app: NestFastifyApplication): void => {
  const { files } = app.get<WebAssets>(WEB_ASSETS);
  const folder = files[0]!.address.split('/').slice(0, 3).join('/');
  const route = `${folder}/*`;
  const byName = new Map(
    files.map((file) => [file.address.slice(folder.length + 1), formsOnce(file, route)]),
  );
  const server = app.getHttpAdapter().getInstance();
  server.get<{ Params: { '*': string } }>(route, { config: { isOfPage: true } }, async (request, reply) => {
    const forms = await byName.get(request.params['*'])?.();
    if (!forms) return reply.callNotFound();
    const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers;
    const form = forms[acceptanceOf(accepted).coding ?? 'identity'];
    return reply.send(form.begin(reply, known) ? form.body : undefined);
  });
};
