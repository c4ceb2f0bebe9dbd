import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { LIST_CONNECTIONS } from '@roundhouse/readers';
import { CrowdedError, NotReadyError } from '../answers/errors.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';

/** Who asks for a place. */
export interface Asker {
  /** Places are shared among clients. */
  readonly client: string;
  /** Its client has left when it is closed. Absent if nobody can leave. */
  readonly response?: ServerResponse;
}

interface Bounds {
  readonly most: number;
  readonly mostWaiting: number;
  /** (Default: those that wait are not refused for it) */
  readonly patienceMs?: number;
  /** One sentence for those that are refused. */
  readonly refusal: string;
}

/** Ends the waiting of a request: with a place, without one because its client has left, or with an error. */
type Call = (outcome: 'enter' | 'leave' | 'refuse' | 'stop') => void;

interface Client {
  held: number;
  /** The oldest first. */
  readonly queue: Call[];
}

/** How long after the refusal of a client that has no place the places count as full. */
const FULL_FOR_MS = 1000;

/** The client that gives way to a new request of `client`: one that has most, if it has at least two more. */
export const clientToDisplace = (counts: ReadonlyMap<string, number>, client: string): string | null => {
  let displaced: string | null = null;
  let most = (counts.get(client) ?? 0) + 1;
  for (const [name, count] of counts) {
    if (count <= most) continue;
    most = count;
    displaced = name;
  }
  return displaced;
};

/**
 * Limits how much is done at the same time, fairly by client: the next free place goes to the waiting client that holds
 * fewest, and of these to the one that was served longest ago. If the queue is full, the client that has most gives way.
 * So one client may use everything, but only while nobody else asks.
 */
export class FairPlaces {
  /** The one that was served longest ago first. */
  private readonly clients = new Map<string, Client>();
  private refusedAt = Number.NEGATIVE_INFINITY;
  private isClosed = false;
  takenCount = 0;
  waitingCount = 0;
  /** How many were refused since the start. */
  refusedCount = 0;

  constructor(private readonly bounds: Bounds) {}

  get isFull(): boolean {
    return performance.now() - this.refusedAt < FULL_FOR_MS;
  }

  /** Does `work` in a place. Throws `NotReadyError` if there is none, and then does nothing. */
  async use<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    const taken = this.take(asker);
    // Usually nothing has to be awaited.
    if (taken !== true && !(await taken)) throw new NotReadyError('The client has left.');
    try {
      return await work();
    } finally {
      this.free(asker.client);
    }
  }

  /**
   * True when the asker has a place, which the caller must free; false if the client has left. A promise if it has to
   * wait. Throws `NotReadyError`.
   */
  take({ client, response }: Asker): boolean | Promise<boolean> {
    if (response?.destroyed) return false;
    if (this.takenCount < this.bounds.most) {
      this.hold(this.entryOf(client));
      return true;
    }
    if (this.isClosed) throw stopping();
    if (this.waitingCount >= this.bounds.mostWaiting) this.makeRoomFor(client);
    return this.wait(client, response);
  }

  /** Gives the place to the next that waits. */
  free(client: string): void {
    const own = this.clients.get(client)!;
    own.held -= 1;
    this.takenCount -= 1;
    this.clients.delete(client);
    if (own.held > 0 || own.queue.length > 0) this.clients.set(client, own);
    let next: Client | undefined;
    for (const each of this.clients.values())
      if (each.queue.length > 0 && (!next || each.held < next.held)) next = each;
    if (!next) return;
    this.hold(next);
    next.queue[0]!('enter');
  }

  /** Refuses those that wait, and lets nobody wait from now on. */
  close(): void {
    this.isClosed = true;
    for (const call of [...this.clients.values()].flatMap(({ queue }) => queue)) call('stop');
  }

  private entryOf(client: string): Client {
    const known = this.clients.get(client);
    if (known) return known;
    const added = { held: 0, queue: [] };
    this.clients.set(client, added);
    return added;
  }

  private hold(client: Client): void {
    client.held += 1;
    this.takenCount += 1;
  }

  /** Throws `NotReadyError` if no client has more than its share. */
  private makeRoomFor(client: string): void {
    const counts = new Map<string, number>();
    for (const [name, { held, queue }] of this.clients)
      if (name === client || queue.length > 0) counts.set(name, held + queue.length);
    const displaced = clientToDisplace(counts, client);
    if (displaced === null) throw this.refusal(client);
    // Its oldest request is the next to be served, and its newest has waited least.
    this.clients.get(displaced)!.queue.at(-1)!('refuse');
  }

  private wait(client: string, response: ServerResponse | undefined): Promise<boolean> {
    const { patienceMs } = this.bounds;
    const own = this.entryOf(client);
    return new Promise((resolve, reject) => {
      const call: Call = (outcome) => {
        clearTimeout(timer);
        response?.off('close', leave);
        own.queue.splice(own.queue.indexOf(call), 1);
        this.waitingCount -= 1;
        if (own.held === 0 && own.queue.length === 0) this.clients.delete(client);
        if (outcome === 'refuse') reject(this.refusal(client));
        else if (outcome === 'stop') reject(stopping());
        else resolve(outcome === 'enter');
      };
      const leave = (): void => call('leave');
      const timer = patienceMs === undefined ? undefined : setTimeout(call, patienceMs, 'refuse');
      own.queue.push(call);
      this.waitingCount += 1;
      response?.once('close', leave);
    });
  }

  /** If the client has places or waits for some, the others still get their turn: then the places do not count as full. */
  private refusal(client: string): NotReadyError {
    this.refusedCount += 1;
    if (!this.clients.has(client)) this.refusedAt = performance.now();
    return new CrowdedError(this.bounds.refusal);
  }
}

const stopping = (): NotReadyError => new NotReadyError('This server is stopping; try again in a moment.');

/** Twice the connections of the pool: enough for it to be busy, and few to wait for when a place becomes free. */
const ANSWERS_AT_ONCE = 20;

/** Enough to render one page while the others are read. */
const PAGES_AT_ONCE = 4;

/** Rendering 32 pages takes some hundred milliseconds; accepting more would only make all of them wait longer. */
const PAGES_WAITING = 28;

/** Half of the time that clients usually wait. */
const PATIENCE_MS = 5000;

/** Where requests wait for their answers to be made, by what these need. */
export type PlacesName = 'answers' | 'pages' | 'payouts' | 'lists';

/** All places in which the api works for its clients. Accepting more would only make all of them wait longer. */
@Injectable()
export class Places {
  /** For answers to be made. */
  private readonly making: Readonly<Record<PlacesName, FairPlaces>>;
  /** For long lists, while they are sent. */
  readonly streams: FairPlaces;

  constructor(@Inject(SETTINGS) { MAX_STREAMS, MAX_WAITING_REQUESTS }: ApiSettings) {
    const refusalOf = (what: string): string => `Too many ${what} already; try again in a moment.`;
    const places = (most: number, what: string, mostWaiting = MAX_WAITING_REQUESTS): FairPlaces =>
      new FairPlaces({ most, mostWaiting, patienceMs: PATIENCE_MS, refusal: refusalOf(what) });
    const mostAnswers = Math.min(ANSWERS_AT_ONCE, Math.ceil(MAX_WAITING_REQUESTS / 2));
    this.making = {
      answers: places(mostAnswers, 'requests wait for an answer', MAX_WAITING_REQUESTS - mostAnswers),
      pages: places(PAGES_AT_ONCE, 'pages are being made', PAGES_WAITING),
      // Each may hold 500,000 weights in memory.
      payouts: places(1, 'requests for payouts wait'),
      lists: places(LIST_CONNECTIONS, 'requests for lists of this kind wait'),
    };
    this.streams = new FairPlaces({
      most: MAX_STREAMS,
      mostWaiting: MAX_WAITING_REQUESTS,
      refusal: refusalOf('long lists wait to be sent'),
    });
  }

  /** Where an answer is made. */
  of(name: PlacesName = 'answers'): FairPlaces {
    return this.making[name];
  }

  /** How many requests wait for their answers to be made. */
  get waitingCount(): number {
    return this.sum(({ takenCount, waitingCount }) => takenCount + waitingCount);
  }

  /** How many of them were refused since the start. */
  get refusedCount(): number {
    return this.sum(({ refusedCount }) => refusedCount);
  }

  private sum(count: (places: FairPlaces) => number): number {
    return Object.values(this.making).reduce((sum, places) => sum + count(places), 0);
  }
}
