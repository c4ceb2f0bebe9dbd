import { createServer } from 'node:net';
import { bothAre } from '@roundhouse/config';
import { LauncherError } from './launcher.error.js';

export interface WantedPort {
  /** The environment variable that sets the port, or `OPS_PORT + 1` for the indexer's internal port. */
  readonly variable: string;
  readonly port: number;
  readonly host: string;
}

/** The code of the error with which listening fails; null if it does not fail. */
const failureOf = ({ port, host }: WantedPort): Promise<string | null> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(null)));
  });

const listed = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');

/** The beginning of a sentence about ports, and what to do. */
const wordsFor = (wanted: readonly WantedPort[]): { ports: string; advice: string } => {
  const [noun, verb] = wanted.length === 1 ? ['Port', 'is'] : ['Ports', 'are'];
  const variables = [...new Set(wanted.map(({ variable }) => variable.replace(' + 1', '')))];
  return {
    ports: `${noun} ${listed(wanted.map(({ port, variable }) => `${port} (${variable})`))} ${verb}`,
    advice: `set ${listed(variables)} to ${variables.length === 1 ? 'another port' : 'other ports'}`,
  };
};

const sentenceFor = (code: string, wanted: readonly WantedPort[]): string => {
  const { ports, advice } = wordsFor(wanted);
  if (code === 'EADDRINUSE') return `${ports} in use: stop what listens there, or ${advice}.`;
  if (code === 'EACCES') return `${ports} reserved for root: ${advice} above 1023.`;
  return `Cannot listen on ${wanted[0]!.host} (${code}): set HOST to an address of this machine.`;
};

/** Throws `LauncherError`, with everything that is wrong, if two of the ports are equal or one cannot be had. */
export const assertPortsAreFree = async (wanted: readonly WantedPort[]): Promise<void> => {
  const equal = wanted.flatMap(({ port, variable }, index) =>
    wanted
      .slice(0, index)
      .filter((earlier) => earlier.port === port)
      .map((earlier) => bothAre(earlier.variable, variable, port)),
  );
  const failed = new Map<string, WantedPort[]>();
  for (const each of wanted) {
    const code = await failureOf(each);
    if (code !== null) failed.set(code, [...(failed.get(code) ?? []), each]);
  }
  const problems = [...equal, ...[...failed].map(([code, ports]) => sentenceFor(code, ports))];
  if (problems.length > 0) throw new LauncherError(problems.join(' '));
};
