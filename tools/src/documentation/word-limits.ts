/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 74,
  'CHANGELOG.md': 984,
  'CODE_OF_CONDUCT.md': 114,
  'CONTRIBUTING.md': 1_071,
  'README.md': 900,
  'SECURITY.md': 800,
  'apps/': 2_248,
  'deploy/': 878,
  'docs/architecture.md': 1_533,
  'docs/certificates.md': 473,
  'docs/configuration.md': 2_490,
  'docs/decisions/': 6_798,
  'docs/differences.md': 1_471,
  'docs/events.md': 1_074,
  'docs/glossary.md': 1_177,
  'docs/parquet.md': 348,
  'docs/performance.md': 1_092,
  'docs/protocol.md': 2_580,
  'docs/releasing.md': 512,
  'docs/reliability.md': 1_550,
  'docs/runbook.md': 313,
  'docs/runbook/': 5_584,
  'docs/sql.md': 631,
  'docs/support.md': 399,
  'docs/tutorial.md': 851,
  'docs/webhooks.md': 301,
  'libs/': 2_757,
  'test-data/': 417,
  'tools/': 575,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 40_000;
