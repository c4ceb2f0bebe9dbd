/** One message of a Server-Sent Events stream, or a comment (`type` and `data` empty), which shows that it lives. */
export interface StreamMessage {
  readonly type: string;
  readonly id: string | null;
  readonly data: string;
}

const fieldOf = (line: string): [name: string, value: string] => {
  const colon = line.indexOf(':');
  if (colon === -1) return [line, ''];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
};

const messageOf = (lines: readonly string[]): StreamMessage => {
  let type = 'message';
  let id: string | null = null;
  const data: string[] = [];
  for (const [name, value] of lines.map(fieldOf)) {
    if (name === 'event') type = value;
    else if (name === 'id') id = value;
    else if (name === 'data') data.push(value);
  }
  return data.length === 0 ? { type: '', id, data: '' } : { type, id, data: data.join('\n') };
};

/** Cuts a stream of text into messages. */
export async function* parseEventStream(chunks: AsyncIterable<string>): AsyncGenerator<StreamMessage, void> {
  let rest = '';
  for await (const chunk of chunks) {
    rest += chunk;
    const parts = rest.split(/\r?\n\r?\n/);
    rest = parts.pop()!;
    for (const part of parts) yield messageOf(part.split(/\r?\n/));
  }
}
