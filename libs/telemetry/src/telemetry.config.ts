import type { Settings } from '@roundhouse/config';
import { z } from 'zod';

const whenSet = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

/** The settings that turn tracing on or off. The SDK reads the other `OTEL_*` variables itself. */
export const telemetrySettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: whenSet(
      z
        .string()
        .refine(
          (text) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol),
          'it must be a URL that begins with http:// or https://',
        )
        .optional(),
    ),
    default: 'absent: nothing is traced',
    description:
      'The OpenTelemetry collector that gets traces (OTLP, HTTP, JSON), such as http://collector:4318; the standard OTEL_… variables apply.',
  },
  OTEL_SDK_DISABLED: {
    schema: whenSet(z.enum(['true', 'false'], { error: 'it must be true or false' }).default('false')),
    default: 'false',
    description: 'true turns tracing off.',
  },
} as const satisfies Settings;
