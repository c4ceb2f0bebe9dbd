import { pino, type DestinationStream, type Logger } from 'pino';

const STDOUT = 1;
export const STDERR = 2;

/** Lines for people where `isTerminal`, JSON otherwise; on stdout, or on `STDERR`. */
export const createLogger = async (
  level: string,
  isTerminal: boolean,
  descriptor: typeof STDOUT | typeof STDERR = STDOUT,
): Promise<Logger> => {
  const options = { level, base: undefined };
  const destination = isTerminal ? await prettyStream(descriptor) : null;
  return destination
    ? pino(options, destination)
    : pino({ ...options, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(descriptor));
};

/** Null where pino-pretty is not installed: production images leave it out. */
const prettyStream = async (destination: number): Promise<DestinationStream | null> => {
  try {
    const { PinoPretty } = await import('pino-pretty');
    return PinoPretty({
      colorize: true,
      ignore: 'pid,hostname',
      translateTime: 'SYS:HH:MM:ss',
      sync: true,
      destination,
    });
  } catch {
    return null;
  }
};
