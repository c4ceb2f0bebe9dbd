import { describe, expect, it } from '@jest/globals';
import { readSettings } from '@roundhouse/config';
import { apiSettings } from './api.config.js';

const DATABASE_URL = 'postgres://localhost/index';

const read = (environment: Record<string, string>) =>
  readSettings(apiSettings, { DATABASE_URL, ...environment });

describe('the settings of the api', () => {
  it('need only the database', () => {
    expect(read({})).toEqual({
      DATABASE_URL,
      DATABASE_READ_URL: undefined,
      DATABASE_POOLER: 'none',
      HOST: '127.0.0.1',
      PORT: 4003,
      CORE_V1_PORT: undefined,
      CORE_V2_PORT: undefined,
      CORE_V2_PREFIX: false,
      OPS_PORT: 4103,
      CACHE_MAX_BYTES: 67_108_864,
      RATE_LIMIT: 0,
      REDIS_URL: undefined,
      TRUST_PROXY: 0,
      MAX_CONNECTIONS: 10_000,
      MAX_WAITING_REQUESTS: 1000,
      STREAM_FROM_VOTERS: 10_000,
      MAX_STREAMS: 4,
      READY_MAX_LAG: 100,
      SLOW_REQUEST_MS: 1000,
      SLOW_QUERY_MS: 500,
      EVENTS_MAX_CLIENTS: 1000,
      EVENTS_HEARTBEAT_MS: 15_000,
      SHUTDOWN_DELAY_MS: 0,
      OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
      OTEL_SDK_DISABLED: 'false',
      LOG_LEVEL: 'info',
    });
  });

  it.each([
    ...['65536', 'http', ''].map((value) => ['PORT', value]),
    ...['65536', 'http'].map((value) => ['CORE_V1_PORT', value]),
    ...['0', '1e6'].map((value) => ['CACHE_MAX_BYTES', value]),
    ...['RATE_LIMIT', 'SLOW_REQUEST_MS'].map((name) => [name, '-1']),
    // With true, every client could choose its own address.
    ...['x;y', 'true', '-1', '10.0.0.0/8,,'].map((value) => ['TRUST_PROXY', value]),
    ['MAX_WAITING_REQUESTS', '0'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_READ_URL', 'x'],
    ['SLOW_QUERY_MS', 'no'],
    ['SHUTDOWN_DELAY_MS', '5001'],
    ['LOG_LEVEL', 'loud'],
    ['HOST', ''],
    ['REDIS_URL', 'http://here'],
  ])('refuse %s=%s and name it', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(name);
  });
});
