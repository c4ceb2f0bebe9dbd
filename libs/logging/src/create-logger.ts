import { pino, type Logger } from 'pino';
import { LineWriter } from './line-writer.js';
import { escaped } from './print.js';

const STDOUT = 1;
export const STDERR = 2;

/** The injection token of the logger. */
export const LOGGER = Symbol('logger');

const writers: LineWriter[] = [];

/** The number of lines that this process has dropped since its start. */
export const droppedLogLines = (): number => writers.reduce((sum, { droppedCount }) => sum + droppedCount, 0);

/**
 * Writes readable lines if `isTerminal`, otherwise JSON, to stdout or to `STDERR`. Logging never blocks. If nobody
 * reads the lines or the disk is full, lines are kept up to a limit, then dropped; their number is logged later.
 */
export const createLogger = async (
  level: string,
  isTerminal: boolean,
  descriptor: typeof STDOUT | typeof STDERR = STDOUT,
): Promise<Logger> => {
  const lines = writerTo(descriptor, (missingLines) =>
    logger.warn({ missingLines }, 'the log could not be written for a while: lines are missing here'),
  );
  const options = { level, base: undefined };
  const pretty = isTerminal ? await prettyPrinter() : null;
  const logger = pretty
    ? pino(options, { write: (line) => lines.write(pretty(withoutCommands(line))) })
    : pino(
        { ...options, timestamp: pino.stdTimeFunctions.isoTime },
        { write: (line) => lines.write(`${escaped(line.slice(0, -1))}\n`) },
      );
  return logger;
};

/** The JSON of a log line whose texts are escaped, but for the line breaks of stacks: a terminal shows them raw. */
const withoutCommands = (line: string): string =>
  JSON.stringify(JSON.parse(line), (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    return name === 'stack' ? value.split('\n').map(escaped).join('\n') : escaped(value);
  });

const writerTo = (descriptor: number, onRecovered: (missingLines: number) => void): LineWriter => {
  // Node.js makes a pipe non-blocking only when this getter is first read.
  void (descriptor === STDOUT ? process.stdout : process.stderr);
  if (writers.length === 0) process.once('exit', () => writers.forEach((each) => each.writeLast()));
  const lines = new LineWriter(descriptor, onRecovered);
  writers.push(lines);
  return lines;
};

/** Null if pino-pretty is not installed; production images do not contain it. */
const prettyPrinter = async (): Promise<((line: string) => string) | null> => {
  try {
    const { prettyFactory } = await import('pino-pretty');
    return prettyFactory({ colorize: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' });
  } catch {
    return null;
  }
};
