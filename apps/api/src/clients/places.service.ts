import { Inject, Injectable } from '@nestjs/common';
import { LIST_CONNECTIONS } from '@roundhouse/readers';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { FairPlaces } from './fair-places.js';

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
  readonly mostWaiting: number;

  constructor(@Inject(SETTINGS) { MAX_STREAMS, MAX_WAITING_REQUESTS }: ApiSettings) {
    const patienceMs = PATIENCE_MS;
    const mostWaiting = MAX_WAITING_REQUESTS;
    const mostAnswers = Math.min(ANSWERS_AT_ONCE, Math.ceil(mostWaiting / 2));
    this.mostWaiting = mostWaiting;
    this.making = {
      answers: new FairPlaces({
        most: mostAnswers,
        mostWaiting: mostWaiting - mostAnswers,
        patienceMs,
        refusal: 'Too many requests wait for an answer already; try again in a moment.',
      }),
      pages: new FairPlaces({
        most: PAGES_AT_ONCE,
        mostWaiting: PAGES_WAITING,
        patienceMs,
        refusal: 'Too many pages are being made already; try again in a moment.',
      }),
      // Each may hold 500,000 weights in memory.
      payouts: new FairPlaces({
        most: 1,
        mostWaiting,
        patienceMs,
        refusal: 'Too many requests for payouts wait already; try again in a moment.',
      }),
      lists: new FairPlaces({
        most: LIST_CONNECTIONS,
        mostWaiting,
        patienceMs,
        refusal: 'Too many requests for lists of this kind wait already; try again in a moment.',
      }),
    };
    this.streams = new FairPlaces({
      most: MAX_STREAMS,
      mostWaiting,
      refusal: 'Too many long lists wait to be sent already; try again in a moment.',
    });
  }

  /** Where an answer is made. */
  of(name: PlacesName = 'answers'): FairPlaces {
    return this.making[name];
  }

  /** How many requests wait for their answers to be made. */
  get waitingCount(): number {
    return this.sum((places) => places.takenCount + places.waitingCount);
  }

  /** How many of them were refused since the start. */
  get refusedCount(): number {
    return this.sum((places) => places.refusedCount);
  }

  private sum(count: (places: FairPlaces) => number): number {
    return Object.values(this.making).reduce((sum, places) => sum + count(places), 0);
  }
}
