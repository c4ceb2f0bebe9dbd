import { html } from '../html.js';
import { applyMarkup, byId } from './apply-markup.js';
import { serverNow } from './clock.js';
import { LiveEvents } from './live-events.js';
import { loadPage, type LoadedPage } from './load-page.js';
import { Notices } from './notices.js';
import { tick } from './tick.js';

/** While an index catches up, its head moves many times a second. One update a second is enough for a reader. */
const LOAD_EVERY_MS = 1000;

/** Shorter breaks are not reported. */
const LOST_AFTER_MS = 3000;

/** A connection that died silently looks like a chain that has stopped. */
const QUIET_MS = 30_000;

/** Another pod may be a moment behind the one that announced a head. */
const BEHIND_RETRY_MS = 250;

/** Long pauses keep many readers from overrunning a server that has just come back. */
const LONGEST_PAUSE_MS = 15_000;

/** All readers learn of a block at once: they ask for their pages a little apart. */
const SPREAD_MS = 500;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const addressNow = (): string => location.pathname + location.search;

/** Keeps the page that the server sent up to date, with what the server sends at the same address later. */
export class StatusPage {
  /** The address of what is shown. */
  private shown = addressNow();
  /** Called when what was asked for last is shown. */
  private onShown: () => void = () => undefined;
  private readonly notices = new Notices();
  private readonly events: LiveEvents;
  private isLoading = false;
  private isLoadWanted = false;
  /** The height announced last. Older states are not shown. */
  private toldHeight = 0;
  private areEventsOpen = false;
  private heardAt = 0;
  /** The number of consecutive loads that failed. */
  private failures = 0;
  private endPause = (): void => undefined;
  private lostTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.events = new LiveEvents({
      onOpen: () => {
        this.areEventsOpen = true;
        this.heardAt = Date.now();
        void this.load();
      },
      onLost: () => {
        this.areEventsOpen = false;
        this.showBroken();
      },
      onHead: ({ height, id }) => {
        this.toldHeight = height;
        this.heardAt = Date.now();
        if (this.head.id !== id) setTimeout(() => void this.load(), Math.random() * SPREAD_MS);
      },
      onFork: ({ commonHeight, from }) => {
        this.toldHeight = 0;
        this.notices.showFork(commonHeight, from.height, serverNow());
        void this.load();
      },
      onReset: () => {
        this.toldHeight = 0;
        void this.load();
      },
    });
  }

  start(): void {
    this.tick();
    this.events.connect(null);
    setInterval(() => this.tick(), 1000);
    setInterval(() => this.breakSilence(), QUIET_MS / 2);
    addEventListener('offline', () => this.showBroken());
    addEventListener('online', () => this.tryNow());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.load();
    });
  }

  /** Shows what is at the address now. If the server does not answer, keeps the page, says so and tries again. */
  async go(onShown: () => void): Promise<void> {
    this.onShown = onShown;
    await this.loadOnce().catch(() => {
      this.showBroken(0);
      void this.load();
    });
  }

  /** The head of what is shown. */
  private get head(): { readonly height?: string; readonly id?: string } {
    return byId('main').dataset;
  }

  /**
   * Loads until the page shows what was last requested. The connection counts as live when both the load and the
   * events work.
   */
  private async load(): Promise<void> {
    this.isLoadWanted = true;
    if (this.isLoading || document.hidden) return;
    this.isLoading = true;
    while (this.isLoadWanted) {
      this.isLoadWanted = false;
      await this.loadOnce().then(
        () => {
          this.failures = 0;
          if (this.areEventsOpen) this.showSound();
        },
        () => {
          this.showBroken();
          this.isLoadWanted = true;
          this.failures += 1;
        },
      );
      await this.pause(Math.min(LOAD_EVERY_MS * 2 ** this.failures, LONGEST_PAUSE_MS));
    }
    this.isLoading = false;
  }

  private async loadOnce(): Promise<void> {
    const address = addressNow();
    const loaded = await loadPage(address);
    // The reader has moved to another page meanwhile.
    if (addressNow() !== address) return;
    const { height } = loaded.page.getElementById('main')!.dataset;
    if (height !== undefined && Number(height) < this.toldHeight) {
      await wait(BEHIND_RETRY_MS);
      this.isLoadWanted = true;
      return void this.load();
    }
    // What was shown and no longer exists has been undone: the reader keeps what it was.
    const isUndone = !loaded.isFound && this.shown === address && this.head.id !== undefined;
    this.notices.markUndone(isUndone);
    const confirmations = document.getElementById('confirmations');
    if (isUndone && confirmations) confirmations.textContent = 'none';
    if (!isUndone) this.show(loaded, address);
  }

  private show({ url, page }: LoadedPage, address: string): void {
    const found = new URL(url);
    this.shown = found.pathname + found.search;
    if (this.shown !== address) history.replaceState(null, '', this.shown + (found.hash || location.hash));
    applyMarkup(byId('main'), { text: page.getElementById('main')!.outerHTML });
    applyMarkup(byId('menu'), { text: page.getElementById('menu')!.outerHTML });
    document.title = page.title;
    tick();
    const { onShown } = this;
    this.onShown = () => undefined;
    onShown();
  }

  private showSound(): void {
    clearTimeout(this.lostTimer);
    this.lostTimer = undefined;
    this.notices.endOutage();
    this.showLink('live', 'Live');
  }

  private showBroken(afterMs = LOST_AFTER_MS): void {
    if (this.lostTimer !== undefined && afterMs > 0) return;
    clearTimeout(this.lostTimer);
    this.showLink('waiting', 'Reconnecting …');
    const since = serverNow();
    this.lostTimer = setTimeout(() => {
      this.showLink('lost', 'No live updates');
      const { height } = this.head;
      this.notices.showOutage(since, height === undefined ? null : Number(height), () => this.tryNow());
    }, afterMs);
  }

  /**
   * After a long silence, loads the page. A new head means that the event stream has died; no answer means that the
   * server is unreachable.
   */
  private breakSilence(): void {
    if (Date.now() - this.heardAt < QUIET_MS) return;
    const shown = this.head.id;
    void this.load().then(() => {
      if (this.areEventsOpen && this.head.id !== shown) this.events.reconnect();
    });
  }

  private tryNow(): void {
    if (!this.areEventsOpen) this.events.reconnect();
    this.failures = 0;
    this.endPause();
    void this.load();
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private showLink(link: 'live' | 'waiting' | 'lost', text: string): void {
    document.body.dataset['link'] = link;
    applyMarkup(byId('link'), html`<p class="link" id="link" data-link="${link}">${text}</p>`);
  }

  private tick(): void {
    if (!document.hidden) tick();
  }
}
