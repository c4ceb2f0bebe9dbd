import type { FastifyReply } from 'fastify';
import type { Misbehaviour } from './misbehaviour.js';

export type Data = Readonly<Record<string, unknown>>;

const pathOf = ({ request }: FastifyReply): string => request.url.split('?', 1)[0]!;

/** Changes the `data` of successful answers on matching paths; a list is changed item by item. */
export const rewritten = (path: RegExp, change: (data: Data) => Data): Misbehaviour => ({
  onText: (text, reply) => {
    if (reply.statusCode !== 200 || !path.test(pathOf(reply))) return text;
    const body = JSON.parse(text) as { readonly data: Data | readonly Data[] };
    const data = Array.isArray(body.data) ? (body.data as Data[]).map(change) : change(body.data as Data);
    return JSON.stringify({ ...body, data });
  },
});
