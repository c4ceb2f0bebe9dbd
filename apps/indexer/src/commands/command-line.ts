import { parseArgs } from 'node:util';
import { OperatorError, readSettings } from '@roundhouse/config';
import { createLogger } from '@roundhouse/logging';
import { startTelemetry } from '@roundhouse/telemetry';
import { databaseCommandSettings, indexerSettings } from '../indexer.config.js';

import { migrateSettings } from '../migrate.config.js';
import { messageOf } from './error-message.js';
import { digest } from './digest.command.js';
import { migrate } from './migrate.command.js';
import { reset } from './reset.command.js';
import { rollback } from './rollback.command.js';
import { run } from './run.command.js';
import { USAGE, usageOf } from './usage.js';
import { verifyAgainst } from './verify-against.command.js';
import { verify } from './verify.command.js';

interface Arguments {
  readonly command: string;
  readonly yes: boolean;
  readonly to: string | undefined;
  readonly against: string | undefined;
  readonly help: boolean;
}

const readArguments = (args: readonly string[]): Arguments => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        yes: { type: 'boolean', default: false },
        to: { type: 'string' },
        against: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (positionals.length > 1) throw new Error(`Unexpected argument '${positionals[1]}'`);
    const { yes, to, against, help } = values;
    return { command: positionals[0] ?? 'run', yes, to, against, help };
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${USAGE}`, { cause: error });
  }
};

/** An error is told apart from a difference that was found. */
const verifyExitCode = async (work: () => Promise<boolean>): Promise<number> => {
  try {
    return (await work()) ? 0 : 1;
  } catch (error) {
    console.error(messageOf(error));
    return 2;
  }
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs one command and gives the exit code. */
export const execute = async (args: readonly string[], environment: Environment): Promise<number> => {
  const { command, yes, to, against, help } = readArguments(args);
  if (help) {
    console.log(usageOf(command));
    return 0;
  }
  const database = () => readSettings(databaseCommandSettings, environment);
  switch (command) {
    case 'run': {
      const settings = readSettings(indexerSettings, environment);
      const logger = await createLogger(settings.LOG_LEVEL, process.stdout.isTTY);
      const telemetry = await startTelemetry('roundhouse-indexer', settings, logger);
      try {
        return await run(settings, logger);
      } finally {
        await telemetry.stop();
      }
    }
    case 'migrate':
      await migrate(readSettings(migrateSettings, environment));
      return 0;
    case 'digest':
      await digest(database());
      return 0;
    case 'verify':
      return verifyExitCode(() =>
        against === undefined ? verify(database()) : verifyAgainst(database(), against),
      );
    case 'rollback':
      await rollback(database(), { to, isConfirmed: yes });
      return 0;
    case 'reset':
      await reset(database(), yes);
      return 0;
    default:
      throw new OperatorError(`There is no command "${command}".\n\n${USAGE}`);
  }
};
