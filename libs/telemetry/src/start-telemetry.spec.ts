import { expect, it, jest } from '@jest/globals';
import { readSettings } from '@roundhouse/config';
import type { Logger } from 'pino';
import { telemetrySettings } from './telemetry.config.js';

const stop = async (): Promise<void> => undefined;
const load = jest.fn(() => ({ startSdk: () => ({ stop }) }));
jest.unstable_mockModule('./sdk/start-sdk.js', load);
const { startTelemetry } = await import('./start-telemetry.js');

const logger = { info: () => undefined } as unknown as Logger;
const start = (environment: Record<string, string>) =>
  startTelemetry('test', readSettings(telemetrySettings, environment), logger);

it('loads the SDK only if a collector is set', async () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318';
  await start({});
  await start({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' });
  expect(load).not.toHaveBeenCalled();
  expect(await start({ OTEL_EXPORTER_OTLP_ENDPOINT })).toEqual({ stop });
  expect(load).toHaveBeenCalledTimes(1);
});
