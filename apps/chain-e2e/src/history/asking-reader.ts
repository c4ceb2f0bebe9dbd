import type { ServedIndex } from '../served-index.js';

/** Asks for history continuously, one path after the other, and judges each answer. */
export class AskingReader {
  readonly problems: string[] = [];
  /** The statuses of the answers, in order; one that is repeated is listed once. */
  readonly statuses: number[] = [];
  private isStopped = false;
  private readonly running: Promise<void>;

  /** @param expected the body of the right answer, by path */
  constructor(
    private readonly served: ServedIndex,
    private readonly expected: ReadonlyMap<string, string>,
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      for (const [path, right] of this.expected) {
        const { status, body } = await this.served.request(path);
        if (status !== this.statuses.at(-1)) this.statuses.push(status);
        const isRight = status === 200 ? body === right : status === 501 && body.includes('HISTORY');
        if (!isRight) this.problems.push(`${path}: ${status} ${body.slice(0, 300)}`);
      }
    }
  }
}
