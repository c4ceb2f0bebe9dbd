import type { IncomingMessage } from 'node:http';
import type { ApiSettings } from '../api.config.js';
import { CORE_V1, CORE_V1_ALONE } from '../core-v1/core-v1.way.js';
import { asksForV2, CORE_V2, CORE_V2_ALONE, CORE_V2_ALONE_OR_PREFIXED } from '../core-v2/core-v2.way.js';
import { CONTRACT, originForm, type Way } from './way.js';

// All ways in. A further version of the API is a way, a line here and a module.

type Coming = Pick<IncomingMessage, 'url' | 'headers'>;

/** The way in for a request: the first one that takes it. */
export interface Choice {
  readonly takes: (request: Coming) => boolean;
  readonly way: Way;
}

const always = (): boolean => true;

const isOfV1 = ({ url }: Coming): boolean => /^\/[Aa][Pp][Ii]\/v1(?=[/?#]|$)/.test(originForm(url!));

const V2 = { takes: ({ url, headers }: Coming) => asksForV2(url!, headers), way: CORE_V2 };

export const ON_MAIN_PORT: readonly Choice[] = [
  { takes: isOfV1, way: CORE_V1 },
  V2,
  { takes: always, way: CONTRACT },
];

/** Ports of their own, by their settings. The last way of each also answers what cannot be read. */
export const PORTS = {
  CORE_V1_PORT: () => [V2, { takes: always, way: CORE_V1_ALONE }],
  CORE_V2_PORT: ({ CORE_V2_PREFIX }) => [
    { takes: always, way: CORE_V2_PREFIX ? CORE_V2_ALONE_OR_PREFIXED : CORE_V2_ALONE },
  ],
} as const satisfies Readonly<Record<string, (settings: ApiSettings) => readonly Choice[]>>;

export const wayOf = (choices: readonly Choice[], request: Coming): Way =>
  choices.find(({ takes }) => takes(request))!.way;
