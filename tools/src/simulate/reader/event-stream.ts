import { createParser } from 'eventsource-parser';

export interface StreamEvent {
  /** Null where the event has none. */
  readonly id: string | null;
  readonly kind: string;
  readonly data: string;
}

/** The events of a body of Server-Sent Events; comments and `retry` are passed over. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  const events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ id = null, event = 'message', data }) => events.push({ id, kind: event, data }),
  });
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events.splice(0);
  }
}
