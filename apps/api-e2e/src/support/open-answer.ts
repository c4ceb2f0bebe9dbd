import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** An answer of which only the head was read: nothing else is read before somebody asks for it. */
export const openAnswer = async (
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> => {
  const request = get(url, { headers, agent: false });
  // After the head, errors are those of the answer.
  request.on('error', () => undefined);
  const [response] = (await Promise.race([
    once(request, 'response'),
    once(request, 'close').then(() => {
      throw new Error('The connection ended without an answer.');
    }),
  ])) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
};

/** Everything that follows; null if the connection breaks before the end. */
export const readToEnd = async (response: IncomingMessage): Promise<string | null> => {
  const pieces: Buffer[] = [];
  response.on('data', (piece: Buffer) => pieces.push(piece));
  if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
  return response.complete ? Buffer.concat(pieces).toString() : null;
};
