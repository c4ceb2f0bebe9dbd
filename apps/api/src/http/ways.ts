import type { ApiSettings } from '../api.config.js';
import { CORE_V1, CORE_V1_ALONE } from '../core-v1/core-v1.way.js';
import { CORE_V2, CORE_V2_ALONE, CORE_V2_ALONE_OR_PREFIXED } from '../core-v2/core-v2.way.js';
import { CONTRACT, type Choice } from './way.js';

// All ways in. A further version of the API is a way, a line here and a module.

const V1: Choice = { prefix: /^\/[Aa][Pp][Ii]\/v1(?=[/?#]|$)/, way: CORE_V1 };
const V2: Choice = { prefix: /^\/api\/v2(?=[/?#]|$)/, version: '2', way: CORE_V2 };

export const ON_MAIN_PORT: readonly Choice[] = [V1, V2, { way: CONTRACT }];

/** Ports of their own, by their settings. The last way of each also answers what cannot be read. */
export const PORTS = {
  CORE_V1_PORT: () => [V2, { way: CORE_V1_ALONE }],
  CORE_V2_PORT: ({ CORE_V2_PREFIX }) => [{ way: CORE_V2_PREFIX ? CORE_V2_ALONE_OR_PREFIXED : CORE_V2_ALONE }],
} as const satisfies Readonly<Record<string, (settings: ApiSettings) => readonly Choice[]>>;
