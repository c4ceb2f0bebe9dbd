import { request as send } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Reply } from './compare-answers.js';
import type { RecordedRequest } from './recorded-requests.js';

const decoded = (bytes: Buffer, coding: string | undefined): string => {
  if (coding === 'gzip') return gunzipSync(bytes).toString();
  return (coding === 'br' ? brotliDecompressSync(bytes) : bytes).toString();
};

/** For requests that Node's client refuses to send: bytes outside ASCII, unknown methods. */
const askRaw = async (port: number, { method, path }: RecordedRequest): Promise<Reply> => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
  const [head = '', ...body] = (await text(socket)).split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field) => [field.split(': ')[0]!.toLowerCase(), field.replace(/^[^:]*: /, '')]);
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: body.join('\r\n\r\n'),
  };
};

/** Sends a request as it was recorded: no client resolves its path or adds headers. */
export const ask = (base: string, request: RecordedRequest): Promise<Reply> => {
  const { hostname, port } = new URL(base);
  const { method, path, requestHeaders, requestBody } = request;
  if (!/^[A-Z]+ [\x21-\x7e]*$/.test(`${method} ${path}`) || method === 'FOO')
    return askRaw(Number(port), request);
  return new Promise((resolve, reject) => {
    const headers = { ...requestHeaders, host: '127.0.0.1', connection: 'close' };
    send({ hostname, port, method, path, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: decoded(Buffer.concat(pieces), response.headers['content-encoding']),
        }),
      );
    })
      .on('error', reject)
      .end(requestBody);
  });
};
