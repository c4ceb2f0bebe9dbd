const AT_MOST_EACH_MS = 200;

/** One line on a terminal's stderr that is written over again and again; nothing where stderr is no terminal. */
export class ProgressLine {
  private lastAt = 0;
  private isShown = false;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  show(text: string): void {
    if (!this.stream.isTTY || performance.now() - this.lastAt < AT_MOST_EACH_MS) return;
    this.lastAt = performance.now();
    this.isShown = true;
    this.stream.write(`\r\x1b[K${text}`);
  }

  end(): void {
    if (this.isShown) this.stream.write('\r\x1b[K');
  }
}
