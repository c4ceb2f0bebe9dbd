import type { ChainStatusResponse } from '@roundhouse/client';
import { blocksTable } from '../blocks/blocks-table.js';
import { delegateFacts } from '../delegates/delegate-detail.js';
import { forgersPanel } from '../forgers/forgers-panel.js';
import { html } from '../html.js';
import { figures } from '../page/figures.js';
import { readLocation, writeLocation, type PageLocation } from '../page/location.js';
import { mainPart, titleOf } from '../page/main-part.js';
import { withoutRoundsAbove, type PageState, type View } from '../page/page-state.js';
import { undoneTo } from '../status/status.js';
import { applyMarkup, byId } from './apply-markup.js';
import { serverNow } from './clock.js';
import { LiveEvents } from './live-events.js';
import { loadStatus, loadView, RefusedError } from './load.js';
import { Notices } from './notices.js';

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

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Keeps the page that the server sent up to date. */
export class StatusPage {
  private status: ChainStatusResponse | null = null;
  private view: View | null = null;
  private location: PageLocation = readLocation(new URLSearchParams(location.search));
  private readonly notices = new Notices();
  private readonly events: LiveEvents;
  private isLoading = false;
  private isLoadWanted = false;
  /** The height announced last. Older states are not shown. */
  private toldHeight = 0;
  private areEventsOpen = false;
  private heardAt = 0;
  /** How often rounds were dropped. */
  private drops = 0;
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
        if (this.status?.id !== id) void this.load();
      },
      onFork: (fork) => this.undo(fork.commonHeight, fork.from.height),
      onReset: () => {
        this.toldHeight = 0;
        // Forks may have been missed.
        this.dropRoundsAbove(0);
        void this.load();
      },
    });
  }

  async start(): Promise<void> {
    await this.load();
    this.events.connect(this.status?.lastEventId ?? null);
    setInterval(() => this.tick(), 1000);
    setInterval(() => this.breakSilence(), QUIET_MS / 2);
    addEventListener('offline', () => this.showBroken());
    addEventListener('online', () => this.tryNow());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.load();
    });
  }

  /** Shows another view, or the same view in another order. */
  async go(to: PageLocation): Promise<void> {
    this.location = to;
    try {
      if (!this.status) throw new RefusedError(503);
      const view = await this.loadView(to, this.status);
      if (this.location !== to) return;
      this.view = view;
      this.render();
    } catch {
      if (this.location !== to) return;
      // Someone may be typing a search: keep the list until the server answers again.
      if (to.view === 'overview' && this.view?.kind === 'overview') void this.load();
      // The server's own page explains the error better than a script.
      else window.location.assign(writeLocation(to));
    }
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
    const status = await loadStatus();
    if (status.height < this.toldHeight) {
      await wait(BEHIND_RETRY_MS);
      this.isLoadWanted = true;
      return;
    }
    const { location, view } = this;
    const isGone = (view?.kind === 'block' || view?.kind === 'transaction') && view.isUndone;
    const next = isGone
      ? view
      : await this.loadView(location, status).catch((error: unknown) => this.goneView(error));
    // The reader has moved to another view meanwhile.
    if (this.location !== location) return;
    this.status = status;
    if (next) this.view = next;
    this.render();
  }

  private async loadView(location: PageLocation, status: ChainStatusResponse): Promise<View> {
    const { view, drops } = this;
    const next = await loadView(location, { status, view });
    // A fork may have undone what was loaded before it: the load that follows the fork gets it again.
    return drops === this.drops ? next : withoutRoundsAbove(next, 0);
  }

  private dropRoundsAbove(height: number): void {
    this.drops += 1;
    if (this.view) this.view = withoutRoundsAbove(this.view, height);
  }

  /** A block or a transaction that was shown and no longer exists has been undone. */
  private goneView(error: unknown): View | null {
    const { view } = this;
    if (!(error instanceof RefusedError) || error.status !== 404) throw error;
    return view?.kind === 'block' || view?.kind === 'transaction' ? { ...view, isUndone: true } : view;
  }

  private undo(commonHeight: number, fromHeight: number): void {
    this.toldHeight = 0;
    if (this.status) this.status = undoneTo(this.status, commonHeight);
    this.dropRoundsAbove(commonHeight);
    this.render();
    this.notices.showFork(commonHeight, fromHeight, serverNow());
    void this.load();
  }

  private showSound(): void {
    clearTimeout(this.lostTimer);
    this.lostTimer = undefined;
    this.notices.endOutage();
    this.showLink('live', 'Live');
  }

  private showBroken(): void {
    if (this.lostTimer !== undefined) return;
    this.showLink('waiting', 'Reconnecting …');
    const since = serverNow();
    this.lostTimer = setTimeout(() => {
      this.showLink('lost', 'No live updates');
      this.notices.showOutage(since, this.status?.height ?? null, () => this.tryNow());
    }, LOST_AFTER_MS);
  }

  /**
   * After a long silence, loads the status. A new head means that the event stream has died; no answer means that
   * the server is unreachable.
   */
  private breakSilence(): void {
    if (Date.now() - this.heardAt < QUIET_MS) return;
    const shown = this.status?.id;
    void this.load().then(() => {
      if (this.areEventsOpen && this.status?.id !== shown) this.events.reconnect();
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

  private get state(): PageState | null {
    return this.status && this.view && { status: this.status, view: this.view, now: serverNow() };
  }

  private render(): void {
    const { state } = this;
    if (!state) return;
    applyMarkup(byId('main'), mainPart(state));
    document.title = titleOf(state);
  }

  /** Renders what changes with the clock alone. */
  private tick(): void {
    const { state } = this;
    if (!state || document.hidden) return;
    const { view } = state;
    if (view.kind === 'delegate') return applyMarkup(byId('facts'), delegateFacts(state, view));
    if (view.kind !== 'overview') return this.render();
    applyMarkup(byId('figures'), figures(state));
    applyMarkup(byId('blocks'), blocksTable(state));
    applyMarkup(byId('forgers'), forgersPanel(state));
  }
}
