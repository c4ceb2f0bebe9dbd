export interface LaunchedStack {
  readonly url: string;
  readonly devnetUrl: string;
  stop(): Promise<void>;
}

/** `npm start` with a devnet that takes orders; ready when it resolves. Rejects with what it wrote. */
export function launchStack(environment?: Readonly<Record<string, string>>): Promise<LaunchedStack>;
