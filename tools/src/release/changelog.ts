import { ReleaseError } from './release.error.js';

const UNRELEASED = '## Unreleased';

/**
 * Moves the entries under "Unreleased" below a heading with the version. "Unreleased" stays, without entries.
 * @param date of the release, as YYYY-MM-DD
 * @throws {ReleaseError} if there is nothing to release
 */
export const closeUnreleased = (changelog: string, version: string, date: string): string => {
  const start = changelog.indexOf(`${UNRELEASED}\n`);
  if (start === -1) {
    throw new ReleaseError(`CHANGELOG.md has no heading "${UNRELEASED}": add it above the newest version.`);
  }
  const after = changelog.slice(start + UNRELEASED.length + 1);
  const [entries] = after.split(/^## /m);
  // Headings without entries count as nothing.
  if (!/^[^#\s]/m.test(entries!)) {
    throw new ReleaseError('CHANGELOG.md lists nothing under "Unreleased": write what users will notice.');
  }
  return `${changelog.slice(0, start)}${UNRELEASED}\n\n## ${version} (${date})\n${after}`;
};
