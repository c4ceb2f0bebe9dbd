import { OperatorError } from './operator.error.js';

export interface Listener {
  /** The variable that sets the port. */
  readonly setting: string;
  readonly port: number;
  readonly listen: () => Promise<unknown>;
}

/** What to do about an error; null if it is not about listening, but for example about what is checked before. */
const sentenceFor = (error: unknown, host: string, { setting, port }: Listener): string | null => {
  const { code, syscall, hostname } = error as NodeJS.ErrnoException & { readonly hostname?: string };
  if (syscall !== 'listen' && (syscall !== 'getaddrinfo' || hostname !== host)) return null;
  if (code === 'EADDRINUSE')
    return `${setting} ${port} is in use on ${host}: stop the other program or set another ${setting}.`;
  if (code === 'EACCES')
    return `${setting} ${port} is reserved for root: set another ${setting}, above 1023.`;
  return `Nothing can listen on ${host} (${code}): set HOST to an address of this machine.`;
};

/** What to do if two variables set the same port. */
export const bothAre = (one: string, other: string, port: number): string =>
  `${one} and ${other} are both ${port}: set one of them to another number.`;

/** 0 is any free port. */
const equalPorts = (listeners: readonly Listener[]): string[] =>
  listeners.flatMap(({ setting, port }, index) => {
    const same = listeners.slice(0, index).find((earlier) => earlier.port === port && port !== 0);
    return same ? [bothAre(same.setting, setting, port)] : [];
  });

/**
 * Listens with one after the other. Throws one `OperatorError` that says what to do about all ports that cannot be had,
 * or what else a listener throws.
 */
export const listenOnAll = async (host: string, listeners: readonly Listener[]): Promise<void> => {
  const problems = equalPorts(listeners);
  if (problems.length > 0) throw new OperatorError(problems.join(' '));
  for (const listener of listeners) {
    await listener.listen().catch((error: unknown) => {
      const sentence = sentenceFor(error, host, listener);
      if (sentence === null) throw error;
      problems.push(sentence);
    });
  }
  if (problems.length > 0) throw new OperatorError([...new Set(problems)].join(' '));
};
