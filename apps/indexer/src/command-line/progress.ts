import { Presets, SingleBar } from 'cli-progress';

/** `12 s`, `3 min 05 s`, `2 h 10 min`, `4 d 03 h`: two units at most. */
export const readableDuration = (seconds: number): string => {
  const whole = Math.max(Math.round(seconds), 0);
  const two = (value: number): string => String(value).padStart(2, '0');
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  if (whole < 86_400) return `${Math.floor(whole / 3_600)} h ${two(Math.floor(whole / 60) % 60)} min`;
  return `${Math.floor(whole / 86_400)} d ${two(Math.floor(whole / 3_600) % 24)} h`;
};

/** Older samples do not count. */
const PACE_WINDOW_MS = 15_000;

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** How fast a count has grown in the last `windowMs`. */
export class Pace {
  private readonly samples: Sample[] = [];

  constructor(private readonly windowMs = PACE_WINDOW_MS) {}

  /** `at` in ms. If the count goes back (a fork was undone), measuring starts again. */
  observe(at: number, done: number): void {
    const last = this.samples.at(-1);
    if (last !== undefined && done < last.done) this.samples.length = 0;
    this.samples.push({ at, done });
    while (this.samples.length > 2 && this.samples[1]!.at <= at - this.windowMs) this.samples.shift();
  }

  /** 0 until the count has grown. */
  get perSecond(): number {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (first === undefined || last === undefined || last.at <= first.at) return 0;
    return ((last.done - first.done) * 1_000) / (last.at - first.at);
  }
}

export interface ProgressOptions {
  /** What is counted. (Default: blocks) */
  readonly unit?: string;
  readonly stream?: NodeJS.WriteStream;
  /** In ms, by a clock that never goes back. */
  readonly now?: () => number;
  /** How often a line is written if there is no terminal, in ms. (Default: 10000) */
  readonly lineEveryMs?: number;
  /** Over how long the pace is measured, in ms: longer if work comes in bursts. (Default: 15000) */
  readonly paceMs?: number;
}

const FORMAT = '{what} [{bar}] {percentage} % | {value} of {total} {unit} | {pace} {unit}/s | {left}';

/** Shows the progress of long work on stderr: a bar on a terminal, a line every few seconds elsewhere. */
export class Progress {
  private readonly unit: string;
  private readonly stream: NodeJS.WriteStream;
  private readonly now: () => number;
  private readonly lineEveryMs: number;
  private readonly pace: Pace;
  private bar: SingleBar | null = null;
  private saidAt: number;

  constructor(
    private readonly what: string,
    {
      unit = 'blocks',
      stream = process.stderr,
      now = () => performance.now(),
      lineEveryMs = 10_000,
      paceMs,
    }: ProgressOptions = {},
  ) {
    this.unit = unit;
    this.stream = stream;
    this.now = now;
    this.lineEveryMs = lineEveryMs;
    this.pace = new Pace(paceMs);
    this.saidAt = now();
  }

  show(done: number, of: number): void {
    const now = this.now();
    this.pace.observe(now, done);
    const { perSecond } = this.pace;
    const pace = perSecond < 10 ? String(Number(perSecond.toFixed(1))) : String(Math.round(perSecond));
    const left = this.left(done, of);
    if (this.stream.isTTY) {
      const payload = { what: this.what, unit: this.unit, pace, left };
      this.bar ??= this.open(done, of, payload);
      this.bar.setTotal(of);
      this.bar.update(done, payload);
      return;
    }
    if (now - this.saidAt < this.lineEveryMs) return;
    this.saidAt = now;
    const percent = of === 0 ? 100 : Math.floor((done / of) * 100);
    this.stream.write(
      `${this.what}: ${done} of ${of} ${this.unit} (${percent} %), ${pace} ${this.unit}/s, ${left}\n`,
    );
  }

  /** Removes the bar, so that the next output starts on a line of its own. */
  end(): void {
    this.bar?.stop();
    this.bar = null;
  }

  private left(done: number, of: number): string {
    const seconds = (of - done) / this.pace.perSecond;
    return Number.isFinite(seconds) ? `${readableDuration(seconds)} left` : 'time left unknown';
  }

  private open(done: number, of: number, payload: object): SingleBar {
    // The command handles signals and ends its progress; the bar must not.
    const options = { format: FORMAT, stream: this.stream, clearOnComplete: true, gracefulExit: false };
    const bar = new SingleBar({ ...options, hideCursor: true, barsize: 24, fps: 5 }, Presets.shades_classic);
    bar.start(of, done, payload);
    return bar;
  }
}
