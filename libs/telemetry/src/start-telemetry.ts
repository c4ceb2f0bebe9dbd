import type { SettingsValues } from '@roundhouse/config';
import type { Logger } from 'pino';
import type { telemetrySettings } from './telemetry.config.js';
import type { Telemetry } from './tracing.js';

const OFF: Telemetry = { stop: async () => undefined };

/**
 * Starts tracing if a collector is set. Call this before connections and servers are opened. An unreachable collector
 * costs only the traces and an occasional warning. `OTEL_SERVICE_NAME` takes precedence over `serviceName`.
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
