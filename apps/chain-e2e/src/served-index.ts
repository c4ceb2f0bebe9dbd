import { apiSettings, createApiApp, type RunningApi } from '@roundhouse/api';
import { readSettings } from '@roundhouse/config';
import { createBlockSource, parseLosslessJson } from '@roundhouse/source';
import { writeSourceStatus } from '@roundhouse/storage';
import type { Recording } from '@roundhouse/testing';
import { pino } from 'pino';
import { archiveOf, networkOf, RECORDED_HEAD } from './recorded-chains.js';
import { RecordedIndex } from './recorded-index.js';

/** A recorded chain, indexed to its head and served over HTTP. */
export class ServedIndex {
  private constructor(
    readonly index: RecordedIndex,
    private readonly api: RunningApi,
  ) {}

  static async open(recording: Recording): Promise<ServedIndex> {
    const network = await networkOf(recording);
    const source = await createBlockSource({ urls: archiveOf(recording), network });
    const index = await RecordedIndex.create(source, network);
    await index.indexTo(RECORDED_HEAD);
    await writeSourceStatus(index.client, source.name, RECORDED_HEAD);
    await source.close();
    const settings = readSettings(apiSettings, { DATABASE_URL: index.url, PORT: '0', OPS_PORT: '0' });
    return new ServedIndex(index, await createApiApp(settings, pino({ level: 'silent' })));
  }

  /** The answer's body, every digit kept. */
  async get<T = Record<string, unknown>>(path: string): Promise<T> {
    const response = await fetch(this.api.url + path, { headers: { 'API-Version': '1' } });
    return parseLosslessJson(await response.text()) as T;
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.index.close();
  }
}
