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
  503: 'Service Unavailable',
};

export const refusalBody = (statusCode: number, message?: string, more: object = {}): string => {
  const error = NAMES[statusCode] ?? 'Error';
  return JSON.stringify({ statusCode, error, message: message ?? error, ...more });
};

export const notFound = (message?: string): NodeRefusal => new NodeRefusal(404, refusalBody(404, message));

/** Throws `NodeRefusal` if the payload is no JSON. */
export const parsePayload = (payload: string): unknown => {
  try {
    return JSON.parse(payload);
  } catch {
    throw new NodeRefusal(400, refusalBody(400, 'Invalid request payload JSON format'));
  }
};
