import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface PlainAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** As received, in any coding. */
  readonly bytes: Buffer;
}

/** Sends only these headers, and `path` unchanged; `fetch` would add codings and resolve dots. */
export const plainRequest = (
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  path?: string,
): Promise<PlainAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, ...(path === undefined ? {} : { path }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });

/** Its bytes without the coding. */
export const decodedBytes = ({ headers, bytes }: PlainAnswer): Buffer => {
  switch (headers['content-encoding']) {
    case 'br':
      return brotliDecompressSync(bytes);
    case 'gzip':
      return gunzipSync(bytes);
    default:
      return bytes;
  }
};

/** A connection without a protocol. */
export const connectTo = (url: string, localAddress?: string): Socket => {
  const { hostname: host, port } = new URL(url);
  return connect({ host, port: Number(port), ...(localAddress !== undefined && { localAddress }) });
};
