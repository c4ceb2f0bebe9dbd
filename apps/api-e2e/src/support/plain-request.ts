import { request, type IncomingMessage } from 'node:http';

export interface PlainAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** As they came, with whatever coding they have. */
  readonly bytes: Buffer;
}

/** Sends these headers and no others, and a `path` as it is; `fetch` has its own view of codings and of dots. */
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
