const REPEAT_MS = 10_000;
const MOST_REMEMBERED = 100;

/** For errors that repeat while something is away: passes on each message once, and again after ten seconds. */
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
