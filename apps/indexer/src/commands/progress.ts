import { Presets, SingleBar } from 'cli-progress';
import { Pace } from './pace.js';
import { readableDuration } from './readable-duration.js';

export interface ProgressOptions {
  /** What is counted. (Default: blocks) */
  readonly unit?: string;
  readonly stream?: NodeJS.WriteStream;
  /** In ms, of any clock that does not go back. */
  readonly now?: () => number;
  /** How often a line is written where there is no terminal, in ms. (Default: 10000) */
  readonly lineEveryMs?: number;
  /** Over how long the pace is taken, in ms: longer where it comes in bursts. (Default: 15000) */
  readonly paceMs?: number;
}

const FORMAT = '{what} [{bar}] {percentage} % | {value} of {total} {unit} | {pace} {unit}/s | {left}';

/** How far long work is: a bar on a terminal, a line now and then anywhere else, both on stderr. */
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

  /** `done` of `of` are done. */
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

  /** Takes the bar away: what is written next stands on a line of its own. */
  end(): void {
    this.bar?.stop();
    this.bar = null;
  }

  private left(done: number, of: number): string {
    const seconds = (of - done) / this.pace.perSecond;
    return Number.isFinite(seconds) ? `${readableDuration(seconds)} left` : 'time left unknown';
  }

  private open(done: number, of: number, payload: object): SingleBar {
    // Whoever shows progress hears the signals and ends it: the bar must not.
    const options = { format: FORMAT, stream: this.stream, clearOnComplete: true, gracefulExit: false };
    const bar = new SingleBar({ ...options, hideCursor: true, barsize: 24, fps: 5 }, Presets.shades_classic);
    bar.start(of, done, payload);
    return bar;
  }
}
