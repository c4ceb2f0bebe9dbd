import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** Returns an answer as soon as its head has arrived. Its body is not read until the caller reads it. */
export const openAnswer = async (
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> => {
  const request = get(url, { headers, agent: false });
  // Errors after the head are those of the response.
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
