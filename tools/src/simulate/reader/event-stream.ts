import { createParser } from 'eventsource-parser';

export interface StreamEvent {
  /** Null if the event has no id. */
  readonly id: string | null;
  readonly kind: string;
  readonly data: string;
}

/** Yields the events of a Server-Sent Events stream, without comments and `retry`. */
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
