import type { SourcePause } from '@roundhouse/source';

interface PauseUnderWay {
  readonly source: string;
  readonly reason: string;
  readonly secondsLeft: number;
}

/** The pauses in which a source is not asked because it grants no more requests. */
export class SourcePauses {
  /** How many there have been. */
  count = 0;
  private last: { readonly pause: SourcePause; readonly until: number } | null = null;

  note(pause: SourcePause): void {
    this.count += 1;
    this.last = { pause, until: performance.now() + pause.durationMs };
  }

  get current(): PauseUnderWay | null {
    if (this.last === null) return null;
    const { pause, until } = this.last;
    const leftMs = until - performance.now();
    if (leftMs <= 0) return null;
    return { source: pause.source, reason: pause.reason, secondsLeft: Math.ceil(leftMs / 1_000) };
  }
}
