import { parse } from 'node:querystring';
import { CoreRefusal } from '@roundhouse/dto/core-v2';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The type under which Fastify hands over a body as it was sent: a node has its own rules and refusals. */
const RAW_TYPE = 'application/vnd.roundhouse.raw';

/** The header that then has the type that the client sent. */
export const SENT_TYPE = 'x-sent-content-type';

/** The longest body: 25 ids take 2 KB, 40 transfers 30 KB. */
export const BODY_LIMIT = 65_536;

export const takeRawBodies = (server: FastifyInstance): void => {
  server.addContentTypeParser(RAW_TYPE, { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_, body, done) =>
    done(null, body),
  );
};

/** Call it before the body is read. */
export const keepBodyRaw = ({ headers }: FastifyRequest): void => {
  headers[SENT_TYPE] = headers['content-type'];
  headers['content-type'] = RAW_TYPE;
};

/** A body by its type, as a node reads it; null if it is empty. Throws `CoreRefusal`. */
export const payloadOf = (contentType = 'application/json', body?: Buffer): unknown => {
  const text = body?.toString() ?? '';
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  if (/^application\/(.+\+)?json$/.test(type)) {
    if (text === '') return null;
    try {
      return JSON.parse(text);
    } catch {
      throw new CoreRefusal(422, 'Invalid request payload JSON format');
    }
  }
  if (type === 'application/x-www-form-urlencoded') return { ...parse(text) };
  if (type.startsWith('text/') || type === 'application/octet-stream') return text;
  throw new CoreRefusal(422, 'Unsupported Media Type');
};

const TRANSACTION_ID = /^[0-9a-f]{64}$/;

/** The ids in a body of transactions. One that cannot be read has none. */
export const postedIds = (contentType?: string, body?: Buffer): readonly string[] => {
  let posted: { readonly transactions?: unknown } | null;
  try {
    posted = payloadOf(contentType, body) as typeof posted;
  } catch (error) {
    if (error instanceof CoreRefusal) return [];
    throw error;
  }
  const ids = [posted?.transactions ?? []].flat().map((one) => (one as { readonly id?: unknown } | null)?.id);
  return [...new Set(ids)].filter((id): id is string => typeof id === 'string' && TRANSACTION_ID.test(id));
};
