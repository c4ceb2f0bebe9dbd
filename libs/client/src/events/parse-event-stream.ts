import { createParser } from 'eventsource-parser';

/**
 * One message of a Server-Sent Events stream, or a comment (`type` and `data` empty), which shows that the stream is
 * alive.
 */
export interface StreamMessage {
  readonly type: string;
  readonly id: string | null;
  readonly data: string;
}

const COMMENT: StreamMessage = { type: '', id: null, data: '' };

/** Splits a stream of text into messages. */
export async function* parseEventStream(chunks: AsyncIterable<string>): AsyncGenerator<StreamMessage, void> {
  const messages: StreamMessage[] = [];
  const parser = createParser({
    onEvent: ({ event = 'message', id = null, data }) => messages.push({ type: event, id, data }),
    onComment: () => messages.push(COMMENT),
  });
  for await (const chunk of chunks) {
    parser.feed(chunk);
    yield* messages.splice(0);
  }
}
