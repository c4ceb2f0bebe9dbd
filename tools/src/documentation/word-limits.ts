/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 74,
  'CHANGELOG.md': 991,
  'CODE_OF_CONDUCT.md': 108,
  'CONTRIBUTING.md': 1_107,
  'README.md': 857,
  'SECURITY.md': 782,
  'apps/': 2_095,
  'deploy/': 845,
  'docs/architecture.md': 1_499,
  'docs/certificates.md': 473,
  'docs/configuration.md': 2_413,
  'docs/decisions/': 6_500,
  'docs/differences.md': 1_364,
  'docs/events.md': 1_041,
  'docs/glossary.md': 1_069,
  'docs/parquet.md': 339,
  'docs/performance.md': 1_118,
  'docs/protocol.md': 2_496,
  'docs/releasing.md': 468,
  'docs/reliability.md': 1_508,
  'docs/runbook.md': 272,
  'docs/runbook/': 5_412,
  'docs/sql.md': 643,
  'docs/support.md': 378,
  'docs/tutorial.md': 792,
  'docs/webhooks.md': 280,
  'libs/': 2_602,
  'test-data/': 402,
  'tools/': 570,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 38_500;
