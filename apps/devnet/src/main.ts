import { misspelt, readSettings, SettingsError } from '@roundhouse/config';
import { print, printError } from '@roundhouse/logging';
import { readExportArguments, readGenerateArguments } from './commands/arguments.js';
import { exportChain } from './commands/export.js';
import { generateArchive } from './commands/generate.js';
import { startDevnet } from './commands/run.js';
import { devnetSettings } from './devnet.config.js';
import { DevnetError } from './devnet.error.js';

const run = async (): Promise<void> => {
  printError(...misspelt(devnetSettings, process.env));
  const devnet = await startDevnet(readSettings(devnetSettings, process.env));
  let stopping: Promise<void> | null = null;
  const stop = (): void => {
    stopping ??= devnet.stop().then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
};

const runExport = async (args: readonly string[]): Promise<void> => {
  const options = readExportArguments(args);
  const { DATA_DIR } = devnetSettings;
  const settings = readSettings({ DATA_DIR }, process.env);
  const count = await exportChain({ ...options, dataDir: settings.DATA_DIR });
  print(`${count} blocks written to ${options.to}`);
};

const runGenerate = async (args: readonly string[]): Promise<void> => {
  const options = readGenerateArguments(args);
  const count = await generateArchive(options, (height) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${height} of ${options.blocks} blocks`);
  });
  if (process.stderr.isTTY) process.stderr.write('\r');
  print(`${count} blocks written to ${options.out}`);
};

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  run,
  export: runExport,
  generate: runGenerate,
};

const main = async ([name = 'run', ...args]: readonly string[]): Promise<void> => {
  const command = COMMANDS[name];
  if (!command) {
    throw new DevnetError(`There is no command "${name}": use one of ${Object.keys(COMMANDS).join(', ')}.`);
  }
  await command(args);
};

/** One sentence if the operator can fix it; the stack trace for a bug of the devnet. */
const explain = (error: unknown): string => {
  if (error instanceof DevnetError || error instanceof SettingsError) return error.message;
  const { path, code, stack } = error as NodeJS.ErrnoException;
  if (path !== undefined)
    return `${path} cannot be used (${code}): choose another path, or make it writable.`;
  return stack ?? String(error);
};

main(process.argv.slice(2)).catch((error: unknown) => {
  printError(...explain(error).split('\n'));
  process.exit(1);
});
