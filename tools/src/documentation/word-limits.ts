/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 74,
  'CHANGELOG.md': 991,
  'CODE_OF_CONDUCT.md': 108,
  'CONTRIBUTING.md': 1_070,
  'README.md': 857,
  'SECURITY.md': 777,
  'apps/': 2_090,
  'deploy/': 831,
  'docs/architecture.md': 1_490,
  'docs/certificates.md': 470,
  'docs/configuration.md': 2_427,
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
  'libs/': 2_581,
  'test-data/': 402,
  'tools/': 564,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 38_500;
