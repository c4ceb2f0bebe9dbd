import type { FastifyReply, FastifyRequest } from 'fastify';

const RANGE = /^bytes=(\d*)-(\d*)$/;

const NOT_IN_RANGE = 'Requested Range Not Satisfiable';

/** The part of an answer that a request asks for; all of it if it asks for none, or for several. */
export const inRange = (request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown => {
  const { range } = request.headers;
  const isWhole = range === undefined || reply.statusCode !== 200 || reply.hasHeader('content-encoding');
  if (isWhole || request.method !== 'GET' || !Buffer.isBuffer(payload)) return payload;
  const [asked, first = '', last = ''] = RANGE.exec(range) ?? [];
  if (asked === undefined || (first === '' && last === '')) return payload;
  const { length } = payload;
  const from = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const to = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1);
  if (from > to) {
    const body = JSON.stringify({ statusCode: 416, error: NOT_IN_RANGE, message: NOT_IN_RANGE });
    void reply
      .code(416)
      .removeHeader('etag')
      .headers({
        'content-range': `bytes */${length}`,
        'content-length': body.length,
        'cache-control': 'no-store',
      });
    return body;
  }
  const part = payload.subarray(from, to + 1);
  void reply
    .code(206)
    .headers({ 'content-range': `bytes ${from}-${to}/${length}`, 'content-length': part.length });
  return part;
};
