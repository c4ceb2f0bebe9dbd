import { Agent, request, type IncomingMessage } from 'node:http';

export interface KeptAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** One connection, kept while the server keeps it. */
export class KeepAliveClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** Rejects with the error of the connection; never retries. */
  get(url: string): Promise<KeptAnswer> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { agent: this.agent }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
