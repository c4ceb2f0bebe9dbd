import { getEventListeners } from 'node:events';
import { RoundhouseClient } from '../client.js';
import { ApiError, UnexpectedAnswerError } from '../errors.js';
import { json, StandIn, stream } from '../stand-in.harness.js';
import type { ChainEvent } from './chain-event.js';
import { parseEventStream } from './parse-event-stream.js';

const head = (id: string, height: number): string =>
  `id: ${id}\nevent: head\ndata: {"height":${height},"supply":13092005600000001}\n\n`;

describe('events', () => {
  let api: StandIn;
  afterEach(() => api.close());

  it('are typed, and continue after the last one when the connection breaks', async () => {
    api = await StandIn.start(
      stream(`retry: 1000\n\n${head('7', 70)}: still here\n\n`),
      stream(`${head('8', 71)}event: reset\ndata: {"commonHeight":0}\n\n`, true),
    );
    const controller = new AbortController();
    const { signal } = controller;
    const seen: ChainEvent[] = [];
    const listening = (async () => {
      for await (const event of new RoundhouseClient(api.url).events({ lastEventId: '6', signal })) {
        seen.push(event);
        if (event.type === 'reset') controller.abort(new Error('enough'));
      }
    })();
    await expect(listening).rejects.toThrow('enough');
    expect(api.requests.map(({ url }) => url)).toEqual(['/events?lastEventId=6', '/events?lastEventId=7']);
    expect(seen).toEqual([
      { type: 'head', id: '7', data: { height: 70, supply: 13_092_005_600_000_001n } },
      { type: 'head', id: '8', data: { height: 71, supply: 13_092_005_600_000_001n } },
      { type: 'reset', id: null, data: { commonHeight: 0 } },
    ]);
  });

  it('are requested again when the stream falls silent', async () => {
    // On a busy machine, the first stream seems silent before its event arrives.
    api = await StandIn.start((request, response) => {
      const next = request.url!.includes('lastEventId=1') ? head('2', 2) : head('1', 1);
      stream(next, true)(request, response);
    });
    const heights: number[] = [];
    for await (const event of new RoundhouseClient(api.url).events({ silenceMs: 100 })) {
      if (event.type === 'head') heights.push(event.data.height);
      if (heights.length === 2) break;
    }
    expect(heights).toEqual([1, 2]);
  });

  it('end with an error if the answer is not an event stream', async () => {
    const page: Parameters<typeof StandIn.start>[0] = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html></html>');
    api = await StandIn.start(page);
    const first = new RoundhouseClient(api.url).events().next();
    await expect(first).rejects.toThrow(
      new UnexpectedAnswerError(`${api.url}/events`, 'text/html; charset=utf-8 instead of events'),
    );
    expect(api.requests).toHaveLength(1);
  });

  it('leave no listener on the signal of the caller', async () => {
    api = await StandIn.start(stream(head('1', 1)), stream(head('2', 2), true));
    const { signal } = new AbortController();
    const heights: number[] = [];
    for await (const event of new RoundhouseClient(api.url).events({ signal })) {
      if (event.type === 'head') heights.push(event.data.height);
      if (heights.length === 2) break;
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('end with an error that a retry cannot fix', async () => {
    api = await StandIn.start(json('{"success":false,"error":"lastEventId is a number."}', 400));
    const first = new RoundhouseClient(api.url).events({ lastEventId: 'x' }).next();
    await expect(first).rejects.toThrow(new ApiError('lastEventId is a number.', 400, null, null));
  });
});

it('a stream is split into messages no matter where its chunks end', async () => {
  const text = 'id: 1\r\nevent: head\r\ndata: {"a":\r\ndata: 1}\r\n\r\n: beat\n\nevent: fork\ndata: x\n\n';
  for (const size of [1, 2, 3, 5, 8, 1_000]) {
    const chunks = (async function* () {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    })();
    const messages = [];
    for await (const message of parseEventStream(chunks)) messages.push(message);
    expect(messages).toEqual([
      { type: 'head', id: '1', data: '{"a":\n1}' },
      { type: '', id: null, data: '' },
      { type: 'fork', id: null, data: 'x' },
    ]);
  }
});
