import { randomBytes } from 'node:crypto';

export const REQUEST_ID = 'X-Request-Id';

/** What can stand in a log line and a header as it is. */
const FIT = /^[\w.-]{1,128}$/;

/** Other processes have other ones. */
const PREFIX = randomBytes(6).toString('hex');

let count = 0;

export const makeRequestId = (): string => `${PREFIX}-${(count += 1).toString(36)}`;

/** The id that a client or a proxy gave, or one of our own where there is none that is fit. */
export const requestIdOf = (given: string | string[] | undefined): string =>
  typeof given === 'string' && FIT.test(given) ? given : makeRequestId();
