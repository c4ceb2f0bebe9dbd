/** Markup that is safe to send. Only `html` makes it, and it escapes every value that is not markup. */
export class Html {
  /** Private by convention: text becomes markup here and nowhere else. */
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** Nothing is written for null, undefined, true and false, so that `condition && html…` reads well. */
export type Content = Html | string | number | bigint | boolean | null | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

const write = (content: Content): string => {
  if (content instanceof Html) return content.text;
  if (content === null || content === undefined || typeof content === 'boolean') return '';
  if (typeof content === 'object') return content.map(write).join('');
  return escape(String(content));
};

const withoutIndentation = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Removes line breaks and indentation, which serve only readers of the source. */
const partsOf = (strings: TemplateStringsArray): readonly string[] => {
  let parts = withoutIndentation.get(strings);
  if (!parts) {
    parts = strings.map((part) => part.replace(/\s*\n\s*/g, ' '));
    withoutIndentation.set(strings, parts);
  }
  return parts;
};

/** Quote all attributes: values are escaped for text and for quoted attributes. */
export const html = (strings: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  new Html(partsOf(strings).reduce((text, part, index) => text + write(contents[index - 1]) + part));
