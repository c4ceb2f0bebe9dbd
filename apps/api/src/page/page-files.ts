import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AssetFile, WebAssets } from '@roundhouse/web';
import { acceptanceOf, type Coding } from '../answers/acceptance.js';
import { SECURITY_HEADERS } from '../answers/answer-headers.js';
import { codedEtag, etagOf, ReadyBytes } from '../answers/answer.js';
import { exchangeOf, takeOver } from '../http/exchange.js';
import { UNKNOWN_PATH } from '../http/problem.js';
import { canonicalPath } from '../http/request-target.js';
import { Responder } from '../http/responder.service.js';
import { WEB_ASSETS } from './page-headers.js';

/**
 * The address changes with the bytes, so they are valid forever. Only the page itself loads these files: the headers of
 * the API would add 200 bytes to each of them.
 */
const HEADERS: readonly string[] = [
  ...SECURITY_HEADERS,
  'Vary',
  'Accept-Encoding',
  'Cache-Control',
  'public, max-age=31536000, immutable',
];

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
  const responder = app.get(Responder);
  const folder = files[0]!.address.split('/').slice(0, 3).join('/');
  const route = `${folder}/*`;
  const byPath = new Map(files.map((file) => [canonicalPath(file.address), formsOnce(file, route)]));
  app
    .getHttpAdapter()
    .getInstance()
    .get(route, async (request, reply) => {
      const formsOfFile = byPath.get(exchangeOf(request).target!.path);
      if (!formsOfFile) return responder.sendProblem(takeOver(reply), UNKNOWN_PATH);
      const { coding } = acceptanceOf(request.headers['accept-encoding']);
      const forms = await formsOfFile();
      responder.sendAnswer(takeOver(reply), forms[coding ?? 'identity']);
    });
};
