import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Request {
  /** Path and query. */
  readonly path: string;
  /** The body of a POST, parsed; undefined for a GET. */
  readonly payload: unknown;
  readonly headers: IncomingHttpHeaders;
  /** `performance.now()` at its arrival. */
  readonly at: number;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, anything else as JSON. A bigint becomes a number with all its digits. */
  readonly body?: unknown;
  /** Whether the connection closes after the body, although more was announced. */
  readonly breaksOff?: boolean;
}

type Respond = (request: Request, response: ServerResponse) => Answer | null;

const toJson = (value: unknown): string => {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${toJson(member)}`);
  return `{${members.join(',')}}`;
};

/** An HTTP server on loopback that answers what `respond` returns; for null it does not answer at all. */
export class TestNode {
  readonly requests: Request[] = [];
  private readonly came = new EventEmitter();
  private readonly server: Server;

  constructor(private readonly respond: Respond) {
    this.server = createServer((incoming, response) => void this.serve(incoming, response));
  }

  async listen(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  /** `host:port` */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get paths(): string[] {
    return this.requests.map(({ path }) => path);
  }

  /** Resolves when `count` requests have arrived. */
  async requested(count: number): Promise<void> {
    while (this.requests.length < count) await once(this.came, 'request');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    if (!this.server.listening) return;
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now();
    const text = (await incoming.toArray().catch(() => [])).join('');
    const payload: unknown = text === '' ? undefined : JSON.parse(text);
    const request = { path: incoming.url ?? '', headers: incoming.headers, payload, at };
    this.requests.push(request);
    this.came.emit('request');
    const answer = this.respond(request, response);
    if (answer === null) return;
    const { status = 200, headers = {}, body = {}, breaksOff = false } = answer;
    const announced = breaksOff ? { 'content-length': 1_000_000 } : {};
    const type = { 'content-type': 'application/json', connection: 'close' };
    response.writeHead(status, { ...type, ...announced, ...headers });
    const sent = typeof body === 'string' ? body : toJson(body);
    if (breaksOff) response.write(sent, () => response.destroy());
    else response.end(sent);
  }
}
