import type { ApiSettings } from '@roundhouse/api';
import { readSettings } from '@roundhouse/config';
import { createLogger } from '@roundhouse/logging';
import { startTelemetry, telemetrySettings } from '@roundhouse/telemetry';
import { TraceCollector } from '@roundhouse/testing';
import { startApi } from './api-under-test.js';

export interface TracedApi {
  readonly url: string;
  readonly collector: TraceCollector;
  stop(): Promise<void>;
}

/** Starts an api that traces. Tracing is on for the whole process until `stop`, except for servers that already run. */
export const startTracedApi = async (
  databaseUrl: string,
  settings?: Partial<Record<keyof ApiSettings, string>>,
): Promise<TracedApi> => {
  const collector = await TraceCollector.start();
  const { environment } = collector;
  // The SDK reads its variables itself.
  Object.assign(process.env, environment);
  const logger = await createLogger('silent', false);
  const telemetry = await startTelemetry('api', readSettings(telemetrySettings, environment), logger);
  const api = await startApi(databaseUrl, settings);
  return {
    url: api.url,
    collector,
    stop: async () => {
      await api.close();
      await telemetry.stop();
      await collector.close();
    },
  };
};
