/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 76,
  'CHANGELOG.md': 1_013,
  'CODE_OF_CONDUCT.md': 174,
  'CONTRIBUTING.md': 1_076,
  'README.md': 937,
  'SECURITY.md': 780,
  'apps/': 2_256,
  'deploy/': 885,
  'docs/architecture.md': 1_519,
  'docs/certificates.md': 473,
  'docs/configuration.md': 2_448,
  'docs/decisions/': 7_000,
  'docs/differences.md': 1_383,
  'docs/events.md': 1_053,
  'docs/glossary.md': 1_187,
  'docs/parquet.md': 347,
  'docs/performance.md': 1_230,
  'docs/protocol.md': 2_537,
  'docs/releasing.md': 508,
  'docs/reliability.md': 1_536,
  'docs/runbook.md': 302,
  'docs/runbook/': 5_448,
  'docs/sql.md': 554,
  'docs/support.md': 409,
  'docs/tutorial.md': 844,
  'docs/webhooks.md': 285,
  'libs/': 2_726,
  'test-data/': 414,
  'tools/': 571,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 39_982;
