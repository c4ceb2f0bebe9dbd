import type { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { AnswerForm, StreamedForm } from './answer.js';
import { AnswersService, type OpenedAnswer } from './answers.service.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { Metrics } from '../operations/metrics.service.js';
import { Shutdown } from '../operations/shutdown.service.js';
import { Places, type Asker } from '../limits/places.service.js';

/** An answer may wait for its client for this time, plus the time that its bytes take at the slowest rate. */
const PATIENCE_MS = 10_000;
const SLOWEST_BYTES_PER_MS = 1024;

/** For so long all lists together may keep other requests waiting: without a pause, a fast client takes megabytes. */
const TURN_MS = 5;

/** Sends answers that are too large for memory while they are read from the database. */
@Injectable()
export class StreamedAnswers {
  private slow = 0;
  private turnEndsAt = 0;

  constructor(
    @Inject(SETTINGS) { MAX_STREAMS }: ApiSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly answers: AnswersService,
    private readonly places: Places,
    shutdown: Shutdown,
    metrics: Metrics,
  ) {
    const { streams } = places;
    shutdown.onDrain(() => streams.close());
    metrics.gauge('roundhouse_streams_open', 'Long lists that are being sent.', () => streams.takenCount);
    metrics.gauge('roundhouse_streams_max', 'MAX_STREAMS.', () => MAX_STREAMS);
    metrics.gauge(
      'roundhouse_streams_waiting',
      'Requests that wait until a long list can be sent.',
      () => streams.waitingCount,
    );
    metrics.counter(
      'roundhouse_streams_refused_total',
      'Requests for long lists that were refused because too many waited.',
      () => streams.refusedCount,
    );
    metrics.counter(
      'roundhouse_streams_slow_total',
      'Long lists that were cut off because the client read too slowly.',
      () => this.slow,
    );
  }

  /**
   * Waits for a place, then begins the answer that `get` returns; resolves with its body. Undefined if it has none, or if
   * the client has left. Throws what `get` and the reading throw, before anything is sent.
   */
  async open(
    asker: Required<Asker>,
    reply: FastifyReply,
    get: () => Promise<AnswerForm | StreamedForm>,
    needsList: (form: StreamedForm) => boolean,
  ): Promise<Buffer | Readable | undefined> {
    const { headers, raw } = reply.request;
    const { socket } = raw;
    if (!(await patientWhile(socket, () => this.places.streams.take(asker)))) return undefined;
    const free = (): void => this.places.streams.free(asker.client);
    try {
      const answer = await patientWhile(socket, () => this.answers.open(get, needsList));
      if (!('rest' in answer)) {
        free();
        return answer.begin(reply, headers['if-none-match']) ? (answer.body ?? undefined) : undefined;
      }
      answer.form.begin(reply, undefined);
      const body = this.bodyOf(answer, reply).once('close', free);
      // Somebody's interceptor may have sent something else instead.
      reply.raw.once('close', () => body.destroy());
      if (!reply.raw.destroyed && !reply.raw.writableEnded) return body;
      // Nest reports a body that is destroyed already as a fault of the handler.
      body.destroy();
      return undefined;
    } catch (error) {
      free();
      throw error;
    }
  }

  private bodyOf(answer: OpenedAnswer, { raw, request }: FastifyReply): Readable {
    const cutOff = (): void => {
      if (!raw.destroyed) this.slow += 1;
      raw.destroy();
    };
    const body = Readable.from(this.paced(this.piecesOf(answer, request), cutOff), { objectMode: false });
    body.once('close', () => void answer.rest.return());
    const compressor = answer.form.compressor();
    return compressor ? pipeline(body, compressor, () => undefined) : body;
  }

  private async *piecesOf({ form, first, rest }: OpenedAnswer, request: FastifyRequest) {
    const [before, after] = form.around;
    yield before;
    yield first;
    try {
      yield* rest;
    } catch (error) {
      const { originalUrl: url, id: requestId } = request;
      // What the client received is not valid JSON without its end.
      this.logger.error({ err: error, url, requestId }, 'a streamed answer was cut off');
      throw error;
    }
    yield after;
  }

  /**
   * Yields the same pieces, with pauses in which other requests are answered. Calls `cutOff` when they have waited too
   * long, in total, for their reader.
   */
  private async *paced(pieces: AsyncIterable<Buffer | string>, cutOff: () => void) {
    let leftMs = PATIENCE_MS;
    for await (const piece of pieces) {
      if (performance.now() >= this.turnEndsAt) {
        await nextTurn();
        this.turnEndsAt = performance.now() + TURN_MS;
      }
      leftMs += piece.length / SLOWEST_BYTES_PER_MS;
      const timer = setTimeout(cutOff, leftMs);
      const startedAt = performance.now();
      try {
        yield piece;
      } finally {
        clearTimeout(timer);
      }
      leftMs -= performance.now() - startedAt;
    }
  }
}

/** Lifts the limit for idle connections, because nothing is sent meanwhile. */
const patientWhile = async <T>(socket: Socket, work: () => T | Promise<T>): Promise<T> => {
  const { timeout = 0 } = socket;
  socket.setTimeout(0);
  try {
    return await work();
  } finally {
    socket.setTimeout(timeout);
  }
};
