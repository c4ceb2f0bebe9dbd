/** What is older tells nothing of the pace now. */
const WINDOW_MS = 15_000;

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** How fast a count has grown within the last `windowMs`. */
export class Pace {
  private readonly samples: Sample[] = [];

  constructor(private readonly windowMs = WINDOW_MS) {}

  /** `at` in ms. A count that goes back (a fork was undone) begins anew. */
  observe(at: number, done: number): void {
    const last = this.samples.at(-1);
    if (last !== undefined && done < last.done) this.samples.length = 0;
    this.samples.push({ at, done });
    while (this.samples.length > 2 && this.samples[1]!.at <= at - this.windowMs) this.samples.shift();
  }

  /** 0 before it has grown. */
  get perSecond(): number {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (first === undefined || last === undefined || last.at <= first.at) return 0;
    return ((last.done - first.done) * 1_000) / (last.at - first.at);
  }
}
