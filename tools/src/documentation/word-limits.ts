/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 74,
  'CHANGELOG.md': 930,
  'CODE_OF_CONDUCT.md': 106,
  'CONTRIBUTING.md': 1_079,
  'README.md': 754,
  'SECURITY.md': 802,
  'apps/': 2_092,
  'deploy/': 822,
  'docs/architecture.md': 1_467,
  'docs/certificates.md': 470,
  'docs/configuration.md': 2_446,
  'docs/decisions/': 6_638,
  'docs/differences.md': 1_386,
  'docs/events.md': 1_010,
  'docs/glossary.md': 1_063,
  'docs/parquet.md': 340,
  'docs/performance.md': 1_117,
  'docs/protocol.md': 2_558,
  'docs/releasing.md': 462,
  'docs/reliability.md': 1_545,
  'docs/runbook.md': 235,
  'docs/runbook/': 5_504,
  'docs/sql.md': 689,
  'docs/support.md': 373,
  'docs/tutorial.md': 762,
  'docs/webhooks.md': 291,
  'libs/': 2_537,
  'test-data/': 389,
  'tools/': 559,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 38_500;
