export interface RawResponse {
  readonly status: number;
  /** Names in lower case, in the order of arrival. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export const headerOf = ({ headers }: RawResponse, name: string): string | undefined =>
  headers.find(([each]) => each === name)?.[1];

const HEAD_END = Buffer.from('\r\n\r\n');

const parseHead = (text: string): Omit<RawResponse, 'body'> => {
  const [line = '', ...fields] = text.split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3}) [ -~]*$/.exec(line) ?? [];
  if (status === undefined) throw new Error(`This is not a response: ${JSON.stringify(line.slice(0, 200))}`);
  const headers = fields.map((field) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+): ?(.*)$/.exec(field) ?? [];
    if (name === undefined) throw new Error(`This is not a header: ${JSON.stringify(field)}`);
    return [name.toLowerCase(), value!] as const;
  });
  return { status: Number(status), headers };
};

/** The body of a response that is sent in chunks, and where it ends; null if more have to come. */
const takeChunks = (received: Buffer, start: number): { body: Buffer; end: number } | null => {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const lineEnd = received.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = received.toString('latin1', at, lineEnd);
    if (!/^[\da-f]{1,8}$/i.test(size))
      throw new Error(`This is not the size of a chunk: ${size.slice(0, 200)}`);
    const from = lineEnd + 2;
    const to = from + parseInt(size, 16);
    at = to + 2;
    if (received.length < at) return null;
    if (to === from) return { body: Buffer.concat(chunks), end: at };
    chunks.push(received.subarray(from, to));
  }
};

/**
 * Takes the first whole response from the bytes received so far; null if more have to come. Every response of the api has
 * a length, chunks or no body. Throws if the bytes are not a response.
 */
export const takeResponse = (
  received: Buffer,
  method: string,
): { response: RawResponse; rest: Buffer } | null => {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const head = parseHead(received.subarray(0, headEnd).toString('latin1'));
  const bodyStart = headEnd + HEAD_END.length;
  // An interim response: the real one follows.
  if (head.status < 200) return takeResponse(received.subarray(bodyStart), method);
  const isBare = method === 'HEAD' || head.status === 204 || head.status === 304;
  const [, length] = head.headers.find(([name]) => name === 'content-length') ?? [];
  if (!isBare && headerOf({ ...head, body: Buffer.of() }, 'transfer-encoding') === 'chunked') {
    const taken = takeChunks(received, bodyStart);
    return taken && { response: { ...head, body: taken.body }, rest: received.subarray(taken.end) };
  }
  if (!isBare && length === undefined) throw new Error(`A response ${head.status} without a length`);
  const bodyEnd = bodyStart + (isBare ? 0 : Number(length));
  if (received.length < bodyEnd) return null;
  return {
    response: { ...head, body: received.subarray(bodyStart, bodyEnd) },
    rest: received.subarray(bodyEnd),
  };
};
