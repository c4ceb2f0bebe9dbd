/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 74,
  'CHANGELOG.md': 1_020,
  'CODE_OF_CONDUCT.md': 172,
  'CONTRIBUTING.md': 1_075,
  'README.md': 942,
  'SECURITY.md': 802,
  'apps/': 2_252,
  'deploy/': 878,
  'docs/architecture.md': 1_531,
  'docs/certificates.md': 471,
  'docs/configuration.md': 2_447,
  'docs/decisions/': 6_997,
  'docs/differences.md': 1_395,
  'docs/events.md': 1_056,
  'docs/glossary.md': 1_182,
  'docs/parquet.md': 345,
  'docs/performance.md': 1_101,
  'docs/protocol.md': 2_570,
  'docs/releasing.md': 513,
  'docs/reliability.md': 1_543,
  'docs/runbook.md': 302,
  'docs/runbook/': 5_448,
  'docs/sql.md': 554,
  'docs/support.md': 408,
  'docs/tutorial.md': 851,
  'docs/webhooks.md': 285,
  'libs/': 2_749,
  'test-data/': 417,
  'tools/': 576,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 40_000;
