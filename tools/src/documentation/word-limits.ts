/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 74,
  'CHANGELOG.md': 958,
  'CODE_OF_CONDUCT.md': 108,
  'CONTRIBUTING.md': 1_056,
  'README.md': 846,
  'SECURITY.md': 775,
  'apps/': 2_095,
  'deploy/': 845,
  'docs/architecture.md': 1_485,
  'docs/certificates.md': 464,
  'docs/configuration.md': 2_499,
  'docs/decisions/': 6_458,
  'docs/differences.md': 1_408,
  'docs/events.md': 1_030,
  'docs/glossary.md': 1_172,
  'docs/parquet.md': 340,
  'docs/performance.md': 1_124,
  'docs/protocol.md': 2_496,
  'docs/releasing.md': 463,
  'docs/reliability.md': 1_459,
  'docs/runbook.md': 275,
  'docs/runbook/': 5_414,
  'docs/sql.md': 607,
  'docs/support.md': 391,
  'docs/tutorial.md': 799,
  'docs/webhooks.md': 275,
  'libs/': 2_610,
  'test-data/': 403,
  'tools/': 570,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 38_500;
