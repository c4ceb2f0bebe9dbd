import { parseArgs } from 'node:util';
import { ReleaseError } from './release.error.js';
import { isStep, type Step } from './versions.js';

const USAGE =
  'Say which number to increase: npm run release -- major, minor or patch. With --dry-run nothing is released.';

/** @throws {ReleaseError} with the usage */
export const readArguments = (
  args: readonly string[],
): { readonly step: Step; readonly isDryRun: boolean } => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean', default: false } },
    });
    const [step, ...others] = positionals;
    if (!isStep(step) || others.length > 0) throw new ReleaseError(USAGE);
    return { step, isDryRun: values['dry-run'] };
  } catch (error) {
    if (error instanceof ReleaseError) throw error;
    throw new ReleaseError(`${(error as Error).message}\n${USAGE}`, { cause: error });
  }
};
