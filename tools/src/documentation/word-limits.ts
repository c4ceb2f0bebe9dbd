/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 74,
  'CHANGELOG.md': 1_020,
  'CODE_OF_CONDUCT.md': 114,
  'CONTRIBUTING.md': 1_077,
  'README.md': 935,
  'SECURITY.md': 798,
  'apps/': 2_248,
  'deploy/': 878,
  'docs/architecture.md': 1_535,
  'docs/certificates.md': 470,
  'docs/configuration.md': 2_453,
  'docs/decisions/': 6_995,
  'docs/differences.md': 1_445,
  'docs/events.md': 1_056,
  'docs/glossary.md': 1_180,
  'docs/parquet.md': 342,
  'docs/performance.md': 1_079,
  'docs/protocol.md': 2_564,
  'docs/releasing.md': 512,
  'docs/reliability.md': 1_542,
  'docs/runbook.md': 302,
  'docs/runbook/': 5_453,
  'docs/sql.md': 632,
  'docs/support.md': 408,
  'docs/tutorial.md': 851,
  'docs/webhooks.md': 287,
  'libs/': 2_754,
  'test-data/': 417,
  'tools/': 576,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 40_000;
