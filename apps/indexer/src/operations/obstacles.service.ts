import { Injectable } from '@nestjs/common';

/** What goes on failing is noted again well within this; what is not noted for so long is over. */
const NOTED_MS = 30_000;

/** What keeps this process from going on, by where it happens: what readiness tells. */
@Injectable()
export class Obstacles {
  private readonly noted = new Map<string, { readonly reason: string; readonly at: number }>();

  note(where: string, reason: string): void {
    this.noted.set(where, { reason, at: performance.now() });
  }

  clear(where: string): void {
    this.noted.delete(where);
  }

  get current(): readonly string[] {
    const now = performance.now();
    return [...this.noted]
      .filter(([, { at }]) => now - at < NOTED_MS)
      .map(([where, { reason }]) => `${where}: ${reason}`);
  }
}
