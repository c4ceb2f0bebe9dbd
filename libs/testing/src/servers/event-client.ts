import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

interface ReceivedEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

const fieldsOf = (block: string): Map<string, string> =>
  new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );

/** A client of Server-Sent Events that keeps everything it receives. */
export class EventClient {
  private text = '';
  readonly ended: Promise<unknown>;

  private constructor(private readonly response: IncomingMessage) {
    response.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    this.ended = once(response, 'close');
    response.on('error', () => undefined);
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<EventClient> {
    const asked = request(url, { headers, agent: false });
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return new EventClient(response);
  }

  get status(): number {
    return this.response.statusCode!;
  }

  get headers(): IncomingHttpHeaders {
    return this.response.headers;
  }

  /** Whether the stream ended properly and was not cut off. */
  get isComplete(): boolean {
    return this.response.complete;
  }

  get events(): ReceivedEvent[] {
    return this.blocks()
      .map(fieldsOf)
      .filter((fields) => fields.has('event'))
      .map((fields) => ({
        ...(fields.has('id') ? { id: fields.get('id')! } : {}),
        event: fields.get('event')!,
        data: JSON.parse(fields.get('data')!) as unknown,
      }));
  }

  /** The number of characters received so far. */
  get length(): number {
    return this.text.length;
  }

  get retryMs(): number {
    return Number(fieldsOf(this.blocks()[0]!).get('retry'));
  }

  get heartbeats(): number {
    return this.blocks().filter((block) => block === ': still here').length;
  }

  close(): void {
    this.response.destroy();
  }

  /** The complete blocks received so far. */
  private blocks(): string[] {
    return this.text.split('\n\n').slice(0, -1);
  }
}
