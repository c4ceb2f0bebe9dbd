import { apiSettings, createApiApp, type RunningApi } from '@roundhouse/api';
import { readSettings } from '@roundhouse/config';
import { writeSourceStatus } from '@roundhouse/storage';
import { untilServed, type RecordedChain } from '@roundhouse/testing';
import type pg from 'pg';
import { pino } from 'pino';
import { parseLosslessJson } from '@roundhouse/chain';
import { headOf } from './recorded-chains.js';
import { RecordedIndex, type RecordedIndexOptions } from './recorded-index.js';

/** A recorded chain, indexed to its head and served over HTTP. */
export class ServedIndex {
  private constructor(
    readonly index: RecordedIndex,
    private readonly api: RunningApi,
  ) {}

  /** `prepare` may change the tables before they are served. */
  static async open(
    recording: RecordedChain,
    prepare: (client: pg.ClientBase) => Promise<unknown> = () => Promise.resolve(),
    options: Pick<RecordedIndexOptions, 'keepsHistory'> = {},
  ): Promise<ServedIndex> {
    const index = await RecordedIndex.whole(recording, options);
    await prepare(index.client);
    return ServedIndex.of(index, headOf(recording));
  }

  /** Serves an index, which it also closes. `height`: that of the source's tip. */
  static async of(
    index: RecordedIndex,
    height: number,
    more: Readonly<Record<string, string>> = {},
  ): Promise<ServedIndex> {
    await writeSourceStatus(index.client, 'recorded', height, 3_600_000);
    const ports = { PORT: '0', OPS_PORT: '0', CORE_V1_PORT: '0', CORE_V2_PORT: '0' };
    const settings = readSettings(apiSettings, { DATABASE_URL: index.url, ...ports, ...more });
    return new ServedIndex(index, await createApiApp(settings, pino({ level: 'silent' })));
  }

  /** Where Core's version 1 is served alone. */
  get coreV1Url(): string {
    return this.api.coreV1Url!;
  }

  /** Where Core's version 2 is served alone. */
  get coreV2Url(): string {
    return this.api.coreV2Url!;
  }

  /** Where the contract is served. */
  get url(): string {
    return this.api.url;
  }

  async request(
    path: string,
    init: RequestInit = {},
  ): Promise<{ status: number; headers: Headers; body: string }> {
    // No test here is about an api that cannot answer just now.
    return untilServed(async () => {
      const response = await fetch(this.api.url + path, init);
      return { status: response.status, headers: response.headers, body: await response.text() };
    });
  }

  /** The answer's body, with all digits kept. */
  async get<T = Record<string, unknown>>(path: string): Promise<T> {
    return (await this.answer<T>(path)).body;
  }

  /** The same, with the status. */
  async answer<T>(path: string): Promise<{ readonly status: number; readonly body: T }> {
    const { status, body } = await this.request(path, { headers: { 'API-Version': '1' } });
    return { status, body: parseLosslessJson(body) as T };
  }

  /** The body of an answer 200; throws if it is another one. */
  async found<T>(path: string): Promise<T> {
    const { status, body } = await this.answer<T>(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Ends the api, and leaves the index to others. */
  stop(): Promise<void> {
    return this.api.close();
  }

  async close(): Promise<void> {
    await this.stop();
    await this.index.close();
  }
}
