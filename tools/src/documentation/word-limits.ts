/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 74,
  'CHANGELOG.md': 981,
  'CODE_OF_CONDUCT.md': 106,
  'CONTRIBUTING.md': 1_068,
  'README.md': 836,
  'SECURITY.md': 775,
  'apps/': 2_095,
  'deploy/': 836,
  'docs/architecture.md': 1_436,
  'docs/certificates.md': 470,
  'docs/configuration.md': 2_435,
  'docs/decisions/': 6_556,
  'docs/differences.md': 1_400,
  'docs/events.md': 1_044,
  'docs/glossary.md': 1_059,
  'docs/parquet.md': 340,
  'docs/performance.md': 1_105,
  'docs/protocol.md': 2_531,
  'docs/releasing.md': 463,
  'docs/reliability.md': 1_530,
  'docs/runbook.md': 224,
  'docs/runbook/': 5_454,
  'docs/sql.md': 662,
  'docs/support.md': 374,
  'docs/tutorial.md': 792,
  'docs/webhooks.md': 291,
  'libs/': 2_579,
  'test-data/': 425,
  'tools/': 558,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 38_500;
