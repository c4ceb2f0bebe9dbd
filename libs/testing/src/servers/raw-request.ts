import { connect } from 'node:net';

/** Sends bytes unchanged and returns everything received until the server closes the connection. */
export const rawRequest = (url: string, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('close', () => resolve(received));
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
  });

export const bodyOf = (response: string): unknown =>
  JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4));
