import { Injectable } from '@nestjs/common';

/** An obstacle that lasts is noted again well within this time. One that is not noted again is over. */
const NOTED_MS = 30_000;

/** What keeps this process from making progress, by place; readiness reports it. */
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
