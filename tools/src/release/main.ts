import { inWorkspace } from '../generators/generated-files.js';
import { readArguments } from './arguments.js';
import { ReleaseError } from './release.error.js';
import { release } from './release.js';

// `npm run release -- minor`: a new version as a commit and a tag. docs/releasing.md says what follows.

try {
  const { step, isDryRun } = readArguments(process.argv.slice(2));
  const tag = await release({
    folder: inWorkspace(''),
    step,
    isDryRun,
    ci: ['.ci/run'],
    generate: ['npm', 'run', 'generate'],
    today: new Date().toISOString().slice(0, 10),
  });
  console.log(
    isDryRun
      ? `${tag} could be released, if .ci/run passes. Nothing was changed.`
      : `\n${tag} is committed and tagged here. docs/releasing.md, "Publish", says how to push it.`,
  );
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
