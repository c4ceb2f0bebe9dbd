import type { ServerResponse } from 'node:http';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { Metrics } from '../operations/metrics.service.js';
import { Shutdown } from '../operations/shutdown.service.js';
import { HEARTBEAT, retry } from './event-frames.js';
import { EventLog } from './event-log.service.js';

/** What may wait for a client. Twice the longest thing that it is ever sent at once, so that none is dropped for that. */
const MOST_WAITING_BYTES = 512 * 1024;

/** For what is left to send at a stop. */
const END_WITHIN_MS = 1000;

interface Stream {
  readonly response: ServerResponse;
  /** The event after which it goes on, where this pod does not have that one yet. */
  awaited: bigint | null;
}

/** Sends every event to every client, and lets go of those who do not read. */
@Injectable()
export class EventStreams implements OnApplicationShutdown {
  private readonly streams = new Set<Stream>();
  private readonly heartbeat: NodeJS.Timeout;
  private dropped = 0;
  private refused = 0;

  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly log: EventLog,
    private readonly shutdown: Shutdown,
    metrics: Metrics,
  ) {
    log.onNews((news) => this.tell(news));
    shutdown.onLetGo(() => this.end());
    this.heartbeat = setInterval(() => this.beat(), settings.EVENTS_HEARTBEAT_MS);
    metrics.gauge('roundhouse_event_clients', 'Clients of /events.', () => this.streams.size);
    metrics.gauge(
      'roundhouse_event_clients_max',
      'EVENTS_MAX_CLIENTS.',
      () => this.settings.EVENTS_MAX_CLIENTS,
    );
    metrics.counter(
      'roundhouse_event_clients_dropped_total',
      'Clients of /events that did not read what they were sent.',
      () => this.dropped,
    );
    metrics.counter(
      'roundhouse_event_clients_refused_total',
      'Clients of /events beyond EVENTS_MAX_CLIENTS.',
      () => this.refused,
    );
  }

  onApplicationShutdown(): void {
    clearInterval(this.heartbeat);
  }

  /** Whether there is room for one more; asked once for each who comes. */
  admits(): boolean {
    const isAdmitted = !this.shutdown.isDraining && this.streams.size < this.settings.EVENTS_MAX_CLIENTS;
    if (!isAdmitted) this.refused += 1;
    return isAdmitted;
  }

  /** Begins to send; the headers are written already. `lastEventId` is what the client says it has. */
  add(response: ServerResponse, lastEventId: string | undefined): void {
    const stream: Stream = { response, awaited: null };
    this.streams.add(stream);
    // The heartbeat may be slower than an answer may be idle.
    response.socket?.setTimeout(0);
    response.on('close', () => this.streams.delete(stream));
    response.write(retry() + this.opening(stream, lastEventId));
  }

  private opening(stream: Stream, lastEventId: string | undefined): string {
    if (lastEventId === undefined || lastEventId === '') return this.log.newest();
    return /^\d{1,19}$/.test(lastEventId) ? this.resume(stream, BigInt(lastEventId)) : this.log.anew();
  }

  private resume(stream: Stream, id: bigint): string {
    const missed = this.log.since(id);
    stream.awaited = missed === null ? id : null;
    return missed ?? '';
  }

  private tell(news: string): void {
    // One for all who wait for nothing else: it is sent often and made once.
    const bytes = Buffer.from(news);
    for (const stream of this.streams) {
      if (stream.awaited === null) this.send(stream, bytes);
      else this.send(stream, this.resume(stream, stream.awaited));
    }
  }

  private beat(): void {
    const bytes = Buffer.from(HEARTBEAT);
    for (const stream of this.streams) this.send(stream, bytes);
  }

  private send({ response }: Stream, bytes: Buffer | string): void {
    if (response.writableLength > MOST_WAITING_BYTES) {
      this.dropped += 1;
      response.destroy();
    } else if (bytes.length > 0) {
      response.write(bytes);
    }
  }

  /** Their clients come again, and not here: by now nothing listens. */
  private end(): void {
    for (const { response } of this.streams) response.end();
    setTimeout(() => {
      for (const { response } of this.streams) response.destroy();
    }, END_WITHIN_MS).unref();
  }
}
