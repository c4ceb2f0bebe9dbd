import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refusalBody } from './node-refusal.js';

export interface NodeRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body of a POST; otherwise empty. */
  readonly payload: string;
}

export interface NodeAnswer {
  /** 200 without it. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** If the iterable fails, the connection breaks off. */
  readonly body: string | AsyncIterable<string>;
}

/** What comes of a request; `disconnect` ends its connection without an answer. */
export type Reply = NodeAnswer | 'disconnect';

export type Respond = (request: NodeRequest) => Reply | Promise<Reply>;

const send = async (
  { status = 200, headers, body }: NodeAnswer,
  { socket }: IncomingMessage,
  response: ServerResponse,
  destroysConnections: boolean,
): Promise<void> => {
  const length = typeof body === 'string' ? { 'content-length': Buffer.byteLength(body) } : {};
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...length, ...headers });
  // Lines 3.x announce keep-alive.
  if (destroysConnections) response.on('finish', () => socket.destroySoon());
  if (typeof body === 'string') response.end(body);
  else await pipeline(Readable.from(body), response).catch(() => undefined);
};

/** An HTTP server for a node's API. */
export class NodeServer {
  private readonly server = createServer((incoming, response) => void this.serve(incoming, response));
  /** Whether it destroys each connection after its answer, whatever the answer says. */
  destroysConnections = false;

  /** @param onError receives what `respond` throws; the client gets a 500 */
  constructor(
    private readonly respond: Respond,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Resolves to its URL. Rejects if the address cannot be used. */
  async listen(host = '127.0.0.1', port = 0): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, host, resolve);
    });
    return this.url;
  }

  get url(): string {
    const { address, family, port } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const payload = (await incoming.toArray().catch(() => [])).join('');
      const { method = '', url = '', headers } = incoming;
      const reply = await this.respond({ method, path: url, headers, payload });
      if (reply === 'disconnect') incoming.socket.destroy();
      else await send(reply, incoming, response, this.destroysConnections);
    } catch (error) {
      this.onError(error as Error);
      const body = refusalBody(500, 'An internal server error occurred');
      if (!response.headersSent) await send({ status: 500, body }, incoming, response, false);
    }
  }
}
