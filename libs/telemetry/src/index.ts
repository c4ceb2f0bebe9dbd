export { logSlowQueries } from './log-slow-queries.js';
export { startTelemetry } from './start-telemetry.js';
export { telemetrySettings } from './telemetry.config.js';
export { traceServer, type ServerTrace } from './trace-server.js';
export { traced, tracedAfterwards } from './traced.js';
export type { Telemetry } from './tracing.js';
