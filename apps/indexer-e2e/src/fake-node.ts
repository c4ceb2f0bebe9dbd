import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from './local-server.js';

/** A node's API with fixed answers: the `data` of each path. Everything else is 404. */
export class FakeNode extends LocalServer {
  /** The path of each request, without its query. */
  readonly asked: string[] = [];

  private constructor(
    private readonly answers: Readonly<Record<string, unknown>>,
    private readonly headers: Readonly<Record<string, string>>,
  ) {
    super();
  }

  static start(
    answers: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<FakeNode> {
    return new FakeNode(answers, headers).listen();
  }

  protected answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const path = url.replace(/\?.*/, '');
    this.asked.push(path);
    const data = this.answers[path];
    response.writeHead(data === undefined ? 404 : 200, {
      'content-type': 'application/json',
      ...this.headers,
    });
    response.end(JSON.stringify(data === undefined ? { statusCode: 404 } : { data }));
  }
}
