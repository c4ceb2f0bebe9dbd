/** A fenced block of a Markdown page. */
export interface FencedBlock {
  /** The word after the opening fence. */
  readonly language: string;
  readonly text: string;
}

export const fencedBlocks = (markdown: string): FencedBlock[] =>
  [...markdown.matchAll(/^```(\w*)\n(.*?)\n```$/gms)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Matches the output that a page shows. "…" stands for any text; the blanks at both ends do not matter. */
export const outputLike = (shown: string): RegExp =>
  new RegExp(`^\\s*${shown.trim().split('…').map(escaped).join('.*')}\\s*$`, 's');
