import type { ServerResponse } from 'node:http';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { clientToDisplace } from '../limits/places.service.js';
import { Metrics } from '../operations/metrics.service.js';
import { Shutdown } from '../operations/shutdown.service.js';
import { EventLog } from './event-log.service.js';

/** How many bytes may wait for a client: twice the most that is ever sent at once. */
const MOST_WAITING_BYTES = 512 * 1024;

/** How long an ended stream may take to send its last bytes. */
const END_WITHIN_MS = 1000;

const HEARTBEAT = Buffer.from(': still here\n\n');

/** Random, so that the clients of a stopped pod do not all reconnect at the same moment. */
const retry = (): string => `retry: ${1000 + Math.floor(Math.random() * 2000)}\n\n`;

interface Stream {
  readonly response: ServerResponse;
  /** The client's address. */
  readonly client: string;
  /** The event after which the stream continues, while this pod does not have that event yet. */
  awaited: bigint | null;
}

/** Sends every event to every client, and disconnects clients that do not read. */
@Injectable()
export class EventStreams implements OnApplicationShutdown {
  /** The oldest first. */
  private readonly streams = new Set<Stream>();
  private readonly heartbeat: NodeJS.Timeout;
  private dropped = 0;
  private refused = 0;
  private displaced = 0;

  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly log: EventLog,
    private readonly shutdown: Shutdown,
    metrics: Metrics,
  ) {
    log.onNews = (news) => this.tell(news);
    // The clients reconnect, and reach another pod because this one no longer listens.
    shutdown.onDrain(() => this.streams.forEach(end));
    const beat = () => this.streams.forEach((stream) => this.send(stream, HEARTBEAT));
    this.heartbeat = setInterval(beat, settings.EVENTS_HEARTBEAT_MS);
    metrics.gauge('roundhouse_event_clients', 'Clients of /events.', () => this.streams.size);
    metrics.gauge('roundhouse_event_clients_max', 'EVENTS_MAX_CLIENTS.', () => settings.EVENTS_MAX_CLIENTS);
    metrics.counter(
      'roundhouse_event_clients_dropped_total',
      'Clients of /events that were disconnected because they did not read.',
      () => this.dropped,
    );
    metrics.counter(
      'roundhouse_event_clients_refused_total',
      'Clients of /events beyond EVENTS_MAX_CLIENTS.',
      () => this.refused,
    );
    metrics.counter(
      'roundhouse_event_clients_displaced_total',
      'Clients of /events that were ended to make room for a client of another address.',
      () => this.displaced,
    );
  }

  onApplicationShutdown(): void {
    clearInterval(this.heartbeat);
  }

  /** Whether there is room for one more client; if not, tries to make room. Call it once per client. */
  admits({ client }: FastifyRequest): boolean {
    const hasRoom = this.streams.size < this.settings.EVENTS_MAX_CLIENTS;
    const isAdmitted = !this.shutdown.isDraining && (hasRoom || this.makeRoomFor(client));
    if (!isAdmitted) this.refused += 1;
    return isAdmitted;
  }

  /** Starts sending, after the headers. `lastEventId` is the last event that the client reports. */
  add({ client, raw }: FastifyRequest, { raw: response }: FastifyReply, lastEventId?: string): void {
    const { socket } = raw;
    // The client left meanwhile, and its close event has passed.
    if (socket.destroyed) return;
    const stream: Stream = { response, client, awaited: null };
    this.streams.add(stream);
    // The heartbeat may be slower than the limit for an idle response.
    socket.setTimeout(0);
    socket.once('close', () => this.streams.delete(stream));
    response.write(retry() + this.opening(stream, lastEventId));
  }

  /** Ends the oldest stream of the client that has to give way, if there is one. */
  private makeRoomFor(client: string): boolean {
    const counts = new Map<string, number>();
    for (const stream of this.streams) counts.set(stream.client, (counts.get(stream.client) ?? 0) + 1);
    const displaced = clientToDisplace(counts, client);
    if (displaced === null) return false;
    const oldest = [...this.streams].find((stream) => stream.client === displaced)!;
    this.streams.delete(oldest);
    end(oldest);
    this.displaced += 1;
    return true;
  }

  private opening(stream: Stream, lastEventId = ''): string {
    if (lastEventId === '') return this.log.newest();
    return /^\d{1,19}$/.test(lastEventId) ? this.resume(stream, BigInt(lastEventId)) : this.log.restart();
  }

  private resume(stream: Stream, id: bigint): string {
    const missed = this.log.since(id);
    stream.awaited = missed === null ? id : null;
    return missed ?? '';
  }

  private tell(news: string): void {
    // One buffer for all streams that do not wait for an older event.
    const bytes = Buffer.from(news);
    for (const stream of this.streams) {
      if (stream.awaited === null) this.send(stream, bytes);
      else this.send(stream, this.resume(stream, stream.awaited));
    }
  }

  private send({ response }: Stream, bytes: Buffer | string): void {
    if (response.writableLength > MOST_WAITING_BYTES) {
      this.dropped += 1;
      response.destroy();
    } else if (bytes.length > 0) {
      response.write(bytes);
    }
  }
}

const end = ({ response }: Stream): void => {
  response.end();
  setTimeout(() => response.destroy(), END_WITHIN_MS).unref();
};
