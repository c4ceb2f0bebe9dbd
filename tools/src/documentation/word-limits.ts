/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 74,
  'CHANGELOG.md': 977,
  'CODE_OF_CONDUCT.md': 106,
  'CONTRIBUTING.md': 1_077,
  'README.md': 759,
  'SECURITY.md': 787,
  'apps/': 2_092,
  'deploy/': 836,
  'docs/architecture.md': 1_465,
  'docs/certificates.md': 470,
  'docs/configuration.md': 2_439,
  'docs/decisions/': 6_620,
  'docs/differences.md': 1_384,
  'docs/events.md': 1_007,
  'docs/glossary.md': 1_063,
  'docs/parquet.md': 340,
  'docs/performance.md': 1_107,
  'docs/protocol.md': 2_560,
  'docs/releasing.md': 463,
  'docs/reliability.md': 1_558,
  'docs/runbook.md': 224,
  'docs/runbook/': 5_476,
  'docs/sql.md': 672,
  'docs/support.md': 374,
  'docs/tutorial.md': 791,
  'docs/webhooks.md': 291,
  'libs/': 2_551,
  'test-data/': 389,
  'tools/': 572,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 38_500;
