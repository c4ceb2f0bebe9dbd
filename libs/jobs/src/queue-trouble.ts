/**
 * Whether the error is a refusal by Redis (no memory left, loading, read-only …) or a lost connection to it. The
 * queues recover from these by themselves, so the process must not stop.
 */
export const isQueueTrouble = ({ name, message }: Error): boolean =>
  name === 'ReplyError' || message === 'Connection is closed.';
