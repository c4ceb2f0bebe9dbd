import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import { EventsReader, type ChainEvent } from '@roundhouse/readers';
import { ChainTracker } from '../chain/chain-tracker.service.js';

/** The events as they are sent. */
const textOf = (events: readonly ChainEvent[]): string =>
  events.map(({ sequence, kind, data }) => `id: ${sequence}\nevent: ${kind}\ndata: ${data}\n\n`).join('');

/** It has no id: the client's own id is no longer valid, and the next event brings a new one. */
const RESET = 'event: reset\ndata: {"commonHeight":0}\n\n';

/** A few hundred events. Beyond that, loading the whole state is less work for both sides. */
const MOST_REPLAYED_CHARACTERS = 256 * 1024;

/** As many as the tables keep. */
const MOST_KEPT = 500;

const TRY_AGAIN_MS = 1000;

/** How long to look for an id above all of ours: it may come from a pod whose replica is ahead. */
const SEEK_FOR_MS = 5000;

/** The events that the tables keep. They are read once for all clients when the head has moved. */
@Injectable()
export class EventLog implements OnApplicationShutdown {
  private events: readonly ChainEvent[] = [];
  private reading: Promise<void> | null = null;
  private hasRead = false;
  private isStale = false;
  private isStopped = false;
  private isReadable = true;
  /** Ids that clients sent and that are above all of ours, and until when to look for each in the tables. */
  private readonly sought = new Map<bigint, number>();
  /** Ids that were not found: they are from before a backup was restored. */
  private missing: readonly bigint[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** Receives what to send to clients that are up to date. */
  onNews: (news: string) => void = () => undefined;

  constructor(
    private readonly tracker: ChainTracker,
    private readonly reader: EventsReader,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    tracker.onNewBasis(() => this.refresh());
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** What a new client gets: the newest head and the events that came with it. */
  newest(): string {
    const at = this.events.findLastIndex(({ kind }) => kind === 'head');
    return at < 0 ? '' : textOf(this.events.slice(at));
  }

  /** What a client gets that must load the whole state. */
  restart(): string {
    return RESET + this.newest();
  }

  /**
   * The events after this id. Null if this pod does not know the id yet: ask again when `onNews` is called next.
   * That call comes within seconds, possibly with an empty text.
   */
  since(id: bigint): string | null {
    if (id > this.newestSequence) {
      if (this.missing.includes(id)) return this.restart();
      if (!this.sought.has(id)) {
        this.sought.set(id, performance.now() + SEEK_FOR_MS);
        this.refresh();
      }
      return null;
    }
    const at = this.events.findLastIndex(({ sequence }) => sequence === id);
    if (at < 0) return this.restart();
    const missed = textOf(this.events.slice(at + 1));
    return missed.length > MOST_REPLAYED_CHARACTERS ? this.restart() : missed;
  }

  private get newestSequence(): bigint {
    return this.events.at(-1)?.sequence ?? 0n;
  }

  private refresh(): void {
    this.isStale = true;
    this.reading ??= this.read().finally(() => (this.reading = null));
  }

  private async read(): Promise<void> {
    try {
      while (this.isStale && !this.isStopped) {
        this.isStale = false;
        const startedAt = performance.now();
        await this.readNews();
        this.endSeeking(startedAt);
      }
      this.isReadable = true;
    } catch (error) {
      if (this.isStopped) return;
      if (this.isReadable) this.logger.warn({ reason: (error as Error).message }, 'events cannot be read');
      this.isReadable = false;
      this.refreshLater();
    }
  }

  private async readNews(): Promise<void> {
    const last = this.events.at(-1)?.sequence;
    const found = await this.reader.listEventsFrom(last ?? 0n);
    if (last !== undefined && found[0]?.sequence !== last) {
      // After a long outage, the tables no longer keep our newest event, or the database is another one.
      const kept = await this.reader.listEventsFrom(0n);
      await this.tracker.refresh();
      this.events = kept;
      return this.onNews(this.restart());
    }
    const added = last === undefined ? found : found.slice(1);
    // They may be of a newer head than this pod serves: a client that hears of it asks for it.
    if (added.length > 0) await this.tracker.refresh();
    this.events = [...this.events, ...added].slice(-MOST_KEPT);
    // Clients that connected before the first reading have got nothing so far.
    if (added.length > 0) this.onNews(this.hasRead ? textOf(added) : this.newest());
    this.hasRead = true;
  }

  /** @param readAt when the newest reading began */
  private endSeeking(readAt: number): void {
    const ended = [...this.sought].filter(([id, until]) => id <= this.newestSequence || until <= readAt);
    for (const [id] of ended) this.sought.delete(id);
    this.missing = ended.map(([id]) => id).filter((id) => id > this.newestSequence);
    if (this.missing.length > 0) this.onNews('');
    this.missing = [];
    if (this.sought.size > 0) this.refreshLater();
  }

  private refreshLater(): void {
    clearTimeout(this.timer);
    if (!this.isStopped) this.timer = setTimeout(() => this.refresh(), TRY_AGAIN_MS);
  }
}
