import { connect, type Socket } from 'node:net';
import { takeResponse, type RawResponse } from './raw-response.js';

/** Longer than the api waits for its database. */
const ANSWER_WITHIN_MS = 10_000;

/** A connection that sends bytes unchanged, and is kept while the server keeps it. */
export class RawConnection {
  private socket: Socket | null = null;

  constructor(private readonly url: string) {}

  /** Sends one request and returns its response. Throws if no response arrives, or anything in addition to it. */
  async ask(bytes: Buffer, method: string): Promise<RawResponse> {
    const socket = (this.socket ??= this.open());
    const response = await new Promise<RawResponse>((resolve, reject) => {
      let received: Buffer = Buffer.alloc(0);
      const fail = (why: string): void => {
        done();
        this.close();
        reject(new Error(`${why} after ${JSON.stringify(received.subarray(0, 300).toString('latin1'))}`));
      };
      const onData = (chunk: Buffer): void => {
        received = Buffer.concat([received, chunk]);
        try {
          const taken = takeResponse(received, method);
          if (!taken) return;
          if (taken.rest.length > 0) throw new Error('More than one response came');
          done();
          resolve(taken.response);
        } catch (error) {
          fail((error as Error).message);
        }
      };
      const onClose = (): void => fail('The connection closed');
      const timer = setTimeout(() => fail('No answer came'), ANSWER_WITHIN_MS);
      const done = (): void => {
        clearTimeout(timer);
        socket.off('data', onData).off('close', onClose);
      };
      socket.on('data', onData).on('close', onClose);
      socket.write(bytes);
    });
    const isKept = !response.headers.some(([name, value]) => name === 'connection' && value === 'close');
    if (!isKept) this.close();
    return response;
  }

  close(): void {
    this.socket?.destroy();
    this.socket = null;
  }

  private open(): Socket {
    const { hostname, port } = new URL(this.url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.socket === socket) this.socket = null;
    });
    return socket;
  }
}

/** After this much silence we end our side of the connection. That also ends an answer that is still in progress. */
const SILENCE_MS = 25;

/** Sends the bytes and returns everything that arrives. Throws if the server does not end after we do. */
export const exchange = (url: string, bytes: Buffer, silenceMs = SILENCE_MS): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const chunks: Buffer[] = [];
    const hangs = setTimeout(() => {
      const received = Buffer.concat(chunks).subarray(0, 300).toString('latin1');
      reject(new Error(`The connection hangs after ${JSON.stringify(received)}`));
      socket.destroy();
    }, ANSWER_WITHIN_MS);
    const silence = setTimeout(() => socket.end(), silenceMs);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      silence.refresh();
    });
    // The server may refuse before it has read everything; its response counts.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(silence);
      clearTimeout(hangs);
      resolve(Buffer.concat(chunks));
    });
    socket.on('end', () => socket.end());
    socket.write(bytes);
  });
