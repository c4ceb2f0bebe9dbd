/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 74,
  'CHANGELOG.md': 1_020,
  'CODE_OF_CONDUCT.md': 114,
  'CONTRIBUTING.md': 1_075,
  'README.md': 934,
  'SECURITY.md': 802,
  'apps/': 2_252,
  'deploy/': 878,
  'docs/architecture.md': 1_537,
  'docs/certificates.md': 471,
  'docs/configuration.md': 2_447,
  'docs/decisions/': 6_992,
  'docs/differences.md': 1_445,
  'docs/events.md': 1_056,
  'docs/glossary.md': 1_182,
  'docs/parquet.md': 342,
  'docs/performance.md': 1_079,
  'docs/protocol.md': 2_563,
  'docs/releasing.md': 513,
  'docs/reliability.md': 1_543,
  'docs/runbook.md': 302,
  'docs/runbook/': 5_453,
  'docs/sql.md': 636,
  'docs/support.md': 408,
  'docs/tutorial.md': 851,
  'docs/webhooks.md': 285,
  'libs/': 2_753,
  'test-data/': 417,
  'tools/': 576,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 40_000;
