import { LocalServer } from './local-server.js';

/** A node's API with fixed answers: the `data` of each path. Everything else is 404. */
export class FakeNode extends LocalServer {
  /** The path of each request, without its query. */
  readonly asked: string[] = [];

  static start(
    answers: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<FakeNode> {
    const node = new FakeNode();
    node.server.on('request', ({ url = '' }, response) => {
      const path = url.replace(/\?.*/, '');
      node.asked.push(path);
      const data = answers[path];
      response.writeHead(data === undefined ? 404 : 200, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(data === undefined ? { statusCode: 404 } : { data }));
    });
    return node.listen();
  }
}
