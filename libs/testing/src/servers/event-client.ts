import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';

interface ReceivedEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

/** A client of Server-Sent Events that keeps everything it receives. */
export class EventClient {
  readonly ended: Promise<unknown>;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly events: ReceivedEvent[] = [];
  heartbeats = 0;
  retryMs = NaN;
  /** The number of bytes received so far. */
  length = 0;

  private constructor(private readonly response: IncomingMessage) {
    this.status = response.statusCode!;
    this.headers = response.headers;
    const parser = createParser({
      onEvent: ({ id, event = 'message', data }) =>
        this.events.push({ ...(id === undefined ? {} : { id }), event, data: JSON.parse(data) as unknown }),
      onRetry: (ms) => (this.retryMs = ms),
      onComment: (text) => (this.heartbeats += Number(text === 'still here')),
    });
    const decoder = new TextDecoder();
    response.on('data', (chunk: Buffer) => {
      this.length += chunk.length;
      parser.feed(decoder.decode(chunk, { stream: true }));
    });
    this.ended = once(response, 'close');
    response.on('error', () => undefined);
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<EventClient> {
    const asked = request(url, { headers, agent: false }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return new EventClient(response);
  }

  /** Whether the stream ended properly and was not cut off. */
  get isComplete(): boolean {
    return this.response.complete;
  }

  close(): void {
    this.response.destroy();
  }
}
