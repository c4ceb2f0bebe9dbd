/** An error answer in the words of the node's own line. */
export class NodeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super(body);
  }
}

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

export const refusalBody = (statusCode: number, message = NAMES[statusCode], more: object = {}): string =>
  JSON.stringify({ statusCode, error: NAMES[statusCode], message, ...more });

export const notFound = (message?: string): NodeRefusal => new NodeRefusal(404, refusalBody(404, message));
