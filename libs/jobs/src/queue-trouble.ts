/**
 * Whether an error is Redis' own refusal (no memory left, loading, read-only …) or the end of a connection to it: the
 * queues are well again by themselves, and nothing in them is worth stopping for.
 */
export const isQueueTrouble = ({ name, message }: Error): boolean =>
  name === 'ReplyError' || message === 'Connection is closed.';
