import type { RequestOptions } from '../client-options.js';
import { ApiError, NetworkError, UnexpectedAnswerError } from '../errors.js';
import { parseAnswer } from '../http/parse-answer.js';
import type { Requester } from '../http/requester.js';
import { wait } from '../http/wait.js';
import type { ChainEvent } from './chain-event.js';
import { parseEventStream, type StreamMessage } from './parse-event-stream.js';

export interface EventOptions extends RequestOptions {
  /** Start after this event: `lastEventId` of `/status.json`. (Default: start with the newest head) */
  readonly lastEventId?: string | undefined;
  /** Reconnect if the stream is silent for this time, in ms: twice the API's heartbeat. (Default: 30000) */
  readonly silenceMs?: number;
}

const TYPES: ReadonlySet<string> = new Set(['head', 'round', 'fork', 'reset']);

/** The pause before reconnecting, in ms: what the API asks for, with jitter. */
const pauseMs = (): number => 1_000 + Math.random() * 2_000;

async function* textOf(response: Response): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body!.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      yield decoder.decode(part.value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Without this check, a page that is not an event stream would be requested again and again. */
const assertIsStream = (url: string, { headers }: Response): void => {
  const type = headers.get('content-type') ?? 'no content type';
  if (!/^text\/event-stream\b/i.test(type)) throw new UnexpectedAnswerError(url, `${type} instead of events`);
};

/** A subscription to `/events` that outlives its connections. */
export class ChainEvents {
  private lastId: string | undefined;

  constructor(
    private readonly requester: Requester,
    private readonly options: EventOptions,
  ) {
    this.lastId = options.lastEventId;
  }

  /**
   * Ends only if the signal is aborted (its reason is thrown), or with an `ApiError` or `UnexpectedAnswerError` that
   * a retry cannot fix.
   */
  async *listen(): AsyncGenerator<ChainEvent, void> {
    const { signal } = this.options;
    for (;;) {
      signal?.throwIfAborted();
      let pause = pauseMs();
      try {
        yield* this.connection();
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ApiError && (error.status === 429 || error.status >= 500)) {
          pause = Math.max(pause, error.retryAfterMs ?? 0);
        } else if (!(error instanceof NetworkError)) throw error;
      }
      await wait(pause, signal);
    }
  }

  private async *connection(): AsyncGenerator<ChainEvent, void> {
    const { signal, silenceMs = 30_000 } = this.options;
    const ended = new AbortController();
    const either = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
    const url = this.requester.urlOf('/events', { lastEventId: this.lastId });
    const silence = new Error(`${url} was silent for ${silenceMs} ms.`);
    let timer = setTimeout(() => ended.abort(silence), silenceMs);
    try {
      const response = await this.requester.open(url, { accept: 'text/event-stream' }, either);
      assertIsStream(url, response);
      for await (const message of parseEventStream(textOf(response))) {
        clearTimeout(timer);
        if (message.id !== null) this.lastId = message.id;
        if (TYPES.has(message.type)) yield eventOf(url, message);
        timer = setTimeout(() => ended.abort(silence), silenceMs);
      }
    } catch (error) {
      if (error instanceof ApiError || error instanceof UnexpectedAnswerError) throw error;
      throw new NetworkError(url, error);
    } finally {
      clearTimeout(timer);
      ended.abort();
    }
  }
}

const eventOf = (url: string, { type, id, data }: StreamMessage): ChainEvent => {
  try {
    return { type, id, data: parseAnswer(data) } as ChainEvent;
  } catch (error) {
    throw new UnexpectedAnswerError(url, 'an event that is not JSON', error);
  }
};
