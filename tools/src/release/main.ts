import { inWorkspace } from '../generators/generated-files.js';
import { ReleaseError } from './release.error.js';
import { release } from './release.js';
import { isStep } from './versions.js';

// `npm run release -- minor`: a new version as a commit and a tag. docs/releasing.md says what follows.

const [step] = process.argv.slice(2);

try {
  if (!isStep(step)) {
    throw new ReleaseError('Say which number to increase: npm run release -- major, minor or patch.');
  }
  const tag = await release({
    folder: inWorkspace(''),
    step,
    ci: ['.ci/run'],
    generate: ['npm', 'run', 'generate'],
    today: new Date().toISOString().slice(0, 10),
  });
  console.log(`\n${tag} is committed and tagged here. docs/releasing.md, "Publish", says how to push it.`);
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
