const REPEAT_MS = 10_000;
const MOST_REMEMBERED = 100;

/**
 * For errors that come again and again while something is away, and from which the thing itself recovers: passes on
 * the first with a message, then the same one at most every ten seconds.
 */
export const saySometimes = (say: (reason: string) => void, now: () => number = () => performance.now()) => {
  const saidAt = new Map<string, number>();
  return ({ message, code }: Error & { readonly code?: string }): void => {
    const reason = message || code || 'no reason given';
    if (now() - (saidAt.get(reason) ?? -Infinity) < REPEAT_MS) return;
    if (saidAt.size >= MOST_REMEMBERED) saidAt.clear();
    saidAt.set(reason, now());
    say(reason);
  };
};
