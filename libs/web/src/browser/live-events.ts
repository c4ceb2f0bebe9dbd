/** The server's events that the page handles. */
export interface EventHandlers {
  /** Connected. Missed events follow. */
  readonly onOpen: () => void;
  /** Not connected. The stream retries until it is. */
  readonly onLost: () => void;
  readonly onHead: (head: { readonly height: number; readonly id: string }) => void;
  readonly onFork: (fork: {
    readonly commonHeight: number;
    readonly from: { readonly height: number };
  }) => void;
  readonly onReset: () => void;
}

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 15_000;

/** The stream of events. It reconnects for as long as the page is open. */
export class LiveEvents {
  private source: EventSource | null = null;
  private lastEventId: string | null = null;
  private retryMs = FIRST_RETRY_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly handlers: EventHandlers) {}

  connect(lastEventId: string | null): void {
    this.lastEventId = lastEventId;
    this.open();
  }

  /** Reconnects now instead of at the next retry. */
  reconnect(): void {
    this.source?.close();
    this.open();
  }

  private open(): void {
    clearTimeout(this.timer);
    const from = this.lastEventId === null ? '' : `?lastEventId=${encodeURIComponent(this.lastEventId)}`;
    const source = new EventSource(`/events${from}`);
    this.source = source;
    source.onopen = () => {
      this.retryMs = FIRST_RETRY_MS;
      this.handlers.onOpen();
    };
    source.onerror = () => {
      // Close it and retry here: the browser itself gives up if the server refuses.
      source.close();
      this.handlers.onLost();
      this.timer = setTimeout(() => this.open(), this.retryMs);
      this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
    };
    this.listen(source, 'head', this.handlers.onHead);
    this.listen(source, 'fork', this.handlers.onFork);
    this.listen(source, 'reset', this.handlers.onReset);
  }

  private listen<T>(source: EventSource, name: string, handle: (content: T) => void): void {
    source.addEventListener(name, (event: MessageEvent<string>) => {
      if (event.lastEventId !== '') this.lastEventId = event.lastEventId;
      handle(JSON.parse(event.data) as T);
    });
  }
}
