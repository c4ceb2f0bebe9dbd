import { pino, type Logger } from 'pino';
import { LineWriter } from './line-writer.js';

const STDOUT = 1;
export const STDERR = 2;

const writers: LineWriter[] = [];

/** How many lines this process could not log, since its start. */
export const droppedLogLines = (): number => writers.reduce((sum, { droppedCount }) => sum + droppedCount, 0);

/**
 * Lines for people where `isTerminal`, JSON otherwise; on stdout, or on `STDERR`. Logging holds up nothing: while nobody
 * takes the lines, or the disk is full, they are kept up to a bound, then dropped, and their number is logged afterwards.
 */
export const createLogger = async (
  level: string,
  isTerminal: boolean,
  descriptor: typeof STDOUT | typeof STDERR = STDOUT,
): Promise<Logger> => {
  const lines = writerTo(descriptor, (missingLines) =>
    logger.warn({ missingLines }, 'the log could not be written for a while, and lines are missing here'),
  );
  const options = { level, base: undefined };
  const pretty = isTerminal ? await prettyPrinter() : null;
  const logger = pretty
    ? pino(options, { write: (line) => lines.write(pretty(line)) })
    : pino({ ...options, timestamp: pino.stdTimeFunctions.isoTime }, lines);
  return logger;
};

const writerTo = (descriptor: number, onRecovered: (missingLines: number) => void): LineWriter => {
  // Node makes a pipe non-blocking when it is looked at, and not before.
  void (descriptor === STDOUT ? process.stdout : process.stderr);
  if (writers.length === 0) process.once('exit', () => writers.forEach((each) => each.writeLast()));
  const lines = new LineWriter(descriptor, onRecovered);
  writers.push(lines);
  return lines;
};

/** Null where pino-pretty is not installed: production images leave it out. */
const prettyPrinter = async (): Promise<((line: string) => string) | null> => {
  try {
    const { prettyFactory } = await import('pino-pretty');
    return prettyFactory({ colorize: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' });
  } catch {
    return null;
  }
};
