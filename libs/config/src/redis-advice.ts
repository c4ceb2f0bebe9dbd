import { tlsAdvice } from './tls-advice.js';

/**
 * Returns what an operator can do about a Redis that cannot be used. `ifSilent` is the advice for one that does not
 * answer.
 */
export const redisAdvice = (error: Error, ifSilent: string): string => {
  // The Redis client has this name for what Redis itself answers: it runs, and the address is right.
  if (error.name === 'ReplyError') return 'correct the user, the password or the settings of Redis';
  return tlsAdvice(error) ?? ifSilent;
};
