/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 74,
  'CHANGELOG.md': 980,
  'CODE_OF_CONDUCT.md': 106,
  'CONTRIBUTING.md': 1_072,
  'README.md': 804,
  'SECURITY.md': 780,
  'apps/': 2_099,
  'deploy/': 836,
  'docs/architecture.md': 1_436,
  'docs/certificates.md': 470,
  'docs/configuration.md': 2_435,
  'docs/decisions/': 6_570,
  'docs/differences.md': 1_411,
  'docs/events.md': 1_007,
  'docs/glossary.md': 1_059,
  'docs/parquet.md': 340,
  'docs/performance.md': 1_111,
  'docs/protocol.md': 2_555,
  'docs/releasing.md': 463,
  'docs/reliability.md': 1_548,
  'docs/runbook.md': 224,
  'docs/runbook/': 5_467,
  'docs/sql.md': 673,
  'docs/support.md': 374,
  'docs/tutorial.md': 791,
  'docs/webhooks.md': 291,
  'libs/': 2_578,
  'test-data/': 380,
  'tools/': 565,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 38_500;
