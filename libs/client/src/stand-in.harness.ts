import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers each request with the next of its answers, and repeats the last one. */
export class StandIn {
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];

  private constructor(
    private readonly server: Server,
    private answers: Answer[],
  ) {}

  static async start(...answers: Answer[]): Promise<StandIn> {
    const server = createServer((request, response) => standIn.serve(request, response));
    const standIn = new StandIn(server, answers);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push({ url: request.url!, headers: request.headers });
    const answer = this.answers.length > 1 ? this.answers.shift()! : this.answers[0]!;
    answer(request, response);
  }
}

export const json =
  (body: string, status = 200, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };

export const silent: Answer = () => undefined;

export const cutOff: Answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"height":');
  setImmediate(() => response.destroy());
};

/** Server-Sent Events that end, or stay open. */
export const stream =
  (text: string, stays = false): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
    if (!stays) response.end();
  };
