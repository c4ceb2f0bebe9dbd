#!/usr/bin/env node
import { misspelt, OperatorError, readSettings } from '@roundhouse/config';
import { createLogger, linesOf, printError } from '@roundhouse/logging';
import { startTelemetry } from '@roundhouse/telemetry';
import { apiSettings } from './api.config.js';
import { createApiApp } from './app.js';

/** Container engines kill after 10 s. */
const END_WITHIN_MS = 9500;

const run = async (): Promise<void> => {
  const [command = 'run', ...rest] = process.argv.slice(2);
  if (command !== 'run' || rest.length > 0) {
    throw new OperatorError('The only command of the api is "run", which is also the default.');
  }
  printError(...misspelt(apiSettings, process.env));
  const settings = readSettings(apiSettings, process.env);
  const logger = await createLogger(settings.LOG_LEVEL, process.stdout.isTTY);
  const telemetry = await startTelemetry('roundhouse-api', settings, logger);
  const api = await createApiApp(settings, logger);
  const { url, operationsUrl: operations, coreV1Url: coreV1, coreV2Url: coreV2 } = api;
  const ports = { ...(coreV1 !== null && { coreV1 }), ...(coreV2 !== null && { coreV2 }) };
  logger.info({ url, operations, ...ports }, 'the api answers');
  let isStopping = false;
  const stop = (signal: string): void => {
    if (isStopping) {
      logger.warn({ signal }, 'the api ends at once');
      process.exit(1);
    }
    isStopping = true;
    logger.info({ signal }, 'the api stops');
    setTimeout(() => {
      logger.error('the api ends before everything is closed: the stop took too long');
      process.exit(1);
    }, END_WITHIN_MS).unref();
    void api
      .stop()
      .then(() => telemetry.stop())
      .then(() => logger.info('the api has stopped'));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
};

try {
  await run();
} catch (error) {
  printError(...linesOf(error));
  // What an unforeseen error leaves open would keep the process alive, without an api.
  process.exit(1);
}
