import { CORE_V1, CORE_V1_ALONE } from '../core-v1/core-v1.way.js';
import { CONTRACT, type Way } from './way.js';

// All ways in. A further version of the API is a way, a line here and a module.

/** A request to the main port takes the first way whose prefix its path has. */
export const ON_MAIN_PORT: readonly { readonly prefix: RegExp; readonly way: Way }[] = [
  { prefix: /^\/[Aa][Pp][Ii]\/v1(?=[/?#]|$)/, way: CORE_V1 },
  { prefix: /^/, way: CONTRACT },
];

/** Ports of their own, by their settings. */
export const PORTS = { CORE_V1_PORT: CORE_V1_ALONE } as const satisfies Readonly<Record<string, Way>>;
