import { formatWhole, counted } from '../format/numbers.js';
import { clockTime } from '../format/time.js';
import { html, type Html } from '../html.js';
import { applyMarkup, byId } from './apply-markup.js';

/**
 * Messages beside the figures. Screen readers announce each one once, politely, and not again while it stays the
 * same.
 */
export class Notices {
  private fork: Html | null = null;
  private outage: Html | null = null;
  private undone: Html | null = null;

  showFork(commonHeight: number, fromHeight: number, now: number): void {
    const undone = counted(Math.max(0, fromHeight - commonHeight), 'block');
    this.fork = html`<p class="notice" id="fork-notice">
      A fork at ${clockTime(now)} UTC: ${undone} above height ${formatWhole(commonHeight)}
      ${fromHeight - commonHeight === 1 ? 'was' : 'were'} undone.
      <button type="button" id="dismiss-fork">Dismiss</button>
    </p>`;
    this.render();
    byId('dismiss-fork').onclick = () => {
      this.fork = null;
      this.render();
    };
  }

  showOutage(since: number, height: number | null, retry: () => void): void {
    if (this.outage) return;
    const what =
      height === null
        ? 'There is nothing to show yet.'
        : `The page shows the state of height ${formatWhole(height)} and may be out of date.`;
    this.outage = html`<p class="notice outage" id="outage-notice">
      No live updates since ${clockTime(since)} UTC. ${what} Trying again.
      <button type="button" id="retry">Try now</button>
    </p>`;
    this.render();
    byId('retry').onclick = retry;
  }

  /** Whether a fork undid the block or transaction that the page shows. */
  markUndone(isUndone: boolean): void {
    if (isUndone === (this.undone !== null)) return;
    this.undone = isUndone
      ? html`<p class="notice" id="undone">
          A fork undid what this page shows: it is no longer part of the chain, and nothing confirms it.
        </p>`
      : null;
    this.render();
  }

  endOutage(): void {
    if (!this.outage) return;
    this.outage = null;
    this.render();
  }

  private render(): void {
    applyMarkup(
      byId('notices'),
      html`<div id="notices" role="status">${this.outage}${this.undone}${this.fork}</div>`,
    );
  }
}
