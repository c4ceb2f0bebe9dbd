import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { sha256 } from '@roundhouse/chain';
import { createWebhook, deleteWebhook, findWebhook, listWebhooks, updateWebhook } from '@roundhouse/storage';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { isListed, type AddressRange } from './addresses.js';
import { readRegistration, RefusedRegistration } from './registration.js';

/** A node refuses larger ones, too. */
const MOST_BODY_BYTES = 1024 * 1024;

/** A node marks such answers as ones that it could compress. */
const LARGE_BYTES = 1024;

/** A node sends this half of the token, and stores it. */
const SENT_CHARACTERS = 32;
const TOKEN_BYTES = 32;

interface Answer {
  readonly status: number;
  /** Absent: the answer has no body. */
  readonly body?: object;
}

const PHRASES = { 403: 'Forbidden', 404: 'Not Found', 422: 'Unprocessable Entity' } as const;

const refusal = (statusCode: keyof typeof PHRASES, message: string = PHRASES[statusCode]): Answer => ({
  status: statusCode,
  body: { statusCode, error: PHRASES[statusCode], message },
});

const NOWHERE = refusal(404);
const DONE: Answer = { status: 204 };

const ok = (data: unknown): Answer => ({ status: 200, body: { data } });

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BODY_BYTES)
      throw new RefusedRegistration(
        `Payload content length greater than maximum allowed: ${MOST_BODY_BYTES}`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** Reads a body by its type, as hapi does: JSON if it has none. */
const parseBody = (text: string, type: string): unknown => {
  switch (type) {
    case 'application/json':
      try {
        return text === '' ? null : JSON.parse(text);
      } catch {
        throw new RefusedRegistration('Invalid request payload JSON format');
      }
    case 'application/x-www-form-urlencoded':
      return Object.fromEntries(new URLSearchParams(text));
    default:
      if (type.startsWith('text/')) return text;
      throw new RefusedRegistration('Unsupported Media Type');
  }
};

const payloadOf = async (request: IncomingMessage): Promise<unknown> => {
  const { 'content-type': type = 'application/json' } = request.headers;
  return parseBody(await readBody(request), type.split(';')[0]!.trim().toLowerCase());
};

/** The routes of core-webhooks 3.9 (`server/index.ts`). */
class Management {
  constructor(private readonly pool: Pool) {}

  async answer(request: IncomingMessage): Promise<Answer> {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const place = path.length > 1 ? path.replace(/\/$/, '') : path;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (place === '/') return method === 'GET' ? ok('Hello World!') : NOWHERE;
    const [, id] = /^\/api\/webhooks(?:\/([^/]+))?$/.exec(place) ?? ['', null];
    if (id === null) return NOWHERE;
    switch (`${method}${id === undefined ? '' : ' one'}`) {
      case 'GET':
        return ok(await listWebhooks(this.pool));
      case 'POST':
        return this.create(await payloadOf(request));
      case 'GET one':
        return this.show(id);
      case 'PUT one':
        return this.change(id, await payloadOf(request));
      case 'DELETE one':
        return (await deleteWebhook(this.pool, id)) ? DONE : NOWHERE;
      default:
        return NOWHERE;
    }
  }

  private async create(payload: unknown): Promise<Answer> {
    const { event, target, enabled, conditions } = readRegistration(payload, true);
    const id = randomUUID();
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    const stored = {
      token: token.slice(0, SENT_CHARACTERS),
      tokenRest: Buffer.from(sha256(token.slice(SENT_CHARACTERS))),
    };
    await createWebhook(this.pool, { id, event, target, enabled, conditions }, stored);
    return { status: 201, body: { data: { id, event, target, token, enabled, conditions } } };
  }

  private async show(id: string): Promise<Answer> {
    const webhook = await findWebhook(this.pool, id);
    if (webhook === null) return NOWHERE;
    const { event, target, enabled, conditions } = webhook;
    return ok({ id, event, target, enabled, conditions });
  }

  private async change(id: string, payload: unknown): Promise<Answer> {
    const content = readRegistration(payload, false);
    return (await updateWebhook(this.pool, id, content)) ? DONE : NOWHERE;
  }
}

const send = ({ method }: IncomingMessage, response: ServerResponse, { status, body }: Answer): void => {
  response.statusCode = status;
  response.setHeader('cache-control', 'no-cache');
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  if (bytes === null || bytes.length >= LARGE_BYTES) response.setHeader('vary', 'accept-encoding');
  if (bytes !== null) {
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('content-length', bytes.length);
    if (status === 200 && method === 'GET') response.setHeader('accept-ranges', 'bytes');
  }
  response.end(bytes ?? undefined);
};

const ANY_500 = {
  statusCode: 500,
  error: 'Internal Server Error',
  message: 'An internal server error occurred',
};

/** Registers webhooks as a node of Core 3.9 does, for clients whose address is in `whitelist`. It does not listen yet. */
export const managementServer = (pool: Pool, whitelist: readonly AddressRange[], logger: Logger): Server => {
  const management = new Management(pool);
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    if (!isListed(whitelist, request.socket.remoteAddress)) return refusal(403);
    try {
      return await management.answer(request);
    } catch (error) {
      if (error instanceof RefusedRegistration) return refusal(422, error.message);
      logger.error({ reason: (error as Error).message }, 'a request about webhooks failed');
      return { status: 500, body: ANY_500 };
    }
  };
  return createServer((request, response) => {
    void answer(request).then((answered) => {
      // Otherwise the rest of a body that is too large would be read as the next request.
      if (!request.complete) response.setHeader('connection', 'close');
      send(request, response, answered);
    });
  });
};
