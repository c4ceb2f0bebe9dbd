/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 74,
  'CHANGELOG.md': 980,
  'CODE_OF_CONDUCT.md': 106,
  'CONTRIBUTING.md': 1_068,
  'README.md': 857,
  'SECURITY.md': 779,
  'apps/': 2_102,
  'deploy/': 834,
  'docs/architecture.md': 1_490,
  'docs/certificates.md': 470,
  'docs/configuration.md': 2_429,
  'docs/decisions/': 6_531,
  'docs/differences.md': 1_364,
  'docs/events.md': 1_036,
  'docs/glossary.md': 1_068,
  'docs/parquet.md': 338,
  'docs/performance.md': 1_112,
  'docs/protocol.md': 2_509,
  'docs/releasing.md': 460,
  'docs/reliability.md': 1_503,
  'docs/runbook.md': 271,
  'docs/runbook/': 5_412,
  'docs/sql.md': 668,
  'docs/support.md': 372,
  'docs/tutorial.md': 792,
  'docs/webhooks.md': 283,
  'libs/': 2_579,
  'test-data/': 401,
  'tools/': 567,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 38_500;
