/**
 * The most words that a page may have, or all pages of a folder together. A page counts once: for itself if it is
 * listed, else for the longest listed folder that it is in.
 */
export const WORD_LIMITS: Readonly<Record<string, number>> = {
  '.github/': 80,
  'CHANGELOG.md': 1_160,
  'CODE_OF_CONDUCT.md': 180,
  'CONTRIBUTING.md': 1_080,
  'README.md': 936,
  'SECURITY.md': 770,
  'apps/': 2_230,
  'deploy/': 900,
  'docs/architecture.md': 1_520,
  'docs/configuration.md': 2_300,
  'docs/decisions/': 6_510,
  'docs/differences.md': 1_400,
  'docs/events.md': 1_050,
  'docs/glossary.md': 1_170,
  'docs/performance.md': 1_010,
  'docs/protocol.md': 2_560,
  'docs/releasing.md': 530,
  'docs/reliability.md': 1_500,
  'docs/runbook.md': 290,
  'docs/runbook/': 4_780,
  'docs/sql.md': 560,
  'docs/support.md': 420,
  'docs/tutorial.md': 860,
  'docs/webhooks.md': 320,
  'libs/': 2_700,
  'test-data/': 420,
  'tools/': 580,
};

/** The most words of all limits together: a page that needs more takes them from another one. */
export const WORDS_TOGETHER = 38_600;
