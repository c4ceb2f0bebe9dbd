import { pino, type DestinationStream, type Logger } from 'pino';

/** Lines for people where `isTerminal`, JSON otherwise. */
export const createLogger = async (level: string, isTerminal: boolean): Promise<Logger> => {
  const options = { level, base: undefined };
  const destination = isTerminal ? await prettyStream() : null;
  return destination
    ? pino(options, destination)
    : pino({ ...options, timestamp: pino.stdTimeFunctions.isoTime });
};

/** Null where pino-pretty is not installed: production images leave it out. */
const prettyStream = async (): Promise<DestinationStream | null> => {
  try {
    const { PinoPretty } = await import('pino-pretty');
    return PinoPretty({ colorize: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', sync: true });
  } catch {
    return null;
  }
};
