export interface StreamEvent {
  /** Null where the event has none. */
  readonly id: string | null;
  readonly kind: string;
  readonly data: string;
}

const fieldOf = (frame: string, name: string): string | null => {
  const line = frame.split('\n').find((each) => each.startsWith(`${name}: `));
  return line?.slice(name.length + 2) ?? null;
};

/** The events of a body of Server-Sent Events, as they come; comments and `retry` are passed over. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const kind = fieldOf(frame, 'event');
      const data = fieldOf(frame, 'data');
      if (kind !== null && data !== null) yield { id: fieldOf(frame, 'id'), kind, data };
    }
  }
}
