import type { Payload } from '../payload.js';

/** Only the sender matters. */
export const delegateResignation: Payload = () => undefined;
