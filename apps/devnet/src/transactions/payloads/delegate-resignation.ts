import type { Payload } from '../payload.js';

/** The sender says it all. */
export const delegateResignation: Payload = () => undefined;
