import type { SettingsValues } from '@roundhouse/config';
import type { Logger } from 'pino';
import type { telemetrySettings } from './telemetry.config.js';

export interface Telemetry {
  /** Sends what is left, for two seconds at most, and traces no more. */
  stop(): Promise<void>;
}

const OFF: Telemetry = { stop: async () => undefined };

/**
 * Begins to trace where a collector is named; to be called before connections and servers are opened. A collector that
 * cannot be reached costs the traces and a warning now and then, nothing else. `OTEL_SERVICE_NAME` has precedence over
 * `serviceName`.
 */
export const startTelemetry = async (
  serviceName: string,
  settings: SettingsValues<typeof telemetrySettings>,
  logger: Logger,
): Promise<Telemetry> => {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || settings.OTEL_SDK_DISABLED === 'true') return OFF;
  const { startSdk } = await import('./sdk/start-sdk.js');
  const telemetry = startSdk(serviceName, logger);
  logger.info({ collector: endpoint }, 'traces go to the collector');
  return telemetry;
};
