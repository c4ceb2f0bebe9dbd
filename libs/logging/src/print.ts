/**
 * Control characters of all kinds, separators of lines, and marks that turn the direction of text: they could clear a
 * terminal, or make one line look like two. Also invisible characters, such as a byte order mark.
 */
// eslint-disable-next-line no-control-regex -- control characters are what it is about
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** The text on one line, with such characters as `\u001b`. */
export const escaped = (text: string): string =>
  text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Prints each text as one line, whatever a node, a file or a database has put into it. */
export const print = (...lines: readonly string[]): void => {
  for (const line of lines) console.log(escaped(line));
};

/** The same on stderr. */
export const printError = (...lines: readonly string[]): void => {
  for (const line of lines) console.error(escaped(line));
};

/** An error with a code has a sentence that says what to do; any other error is more useful with its stack. */
export const linesOf = (error: unknown): readonly string[] => {
  const { code, message, stack } = error as Error & { code?: unknown };
  return typeof code === 'string' || stack === undefined ? [message] : stack.split('\n');
};

/** A value as JSON for people and programs, line by line. */
export const jsonLines = (value: unknown): readonly string[] => JSON.stringify(value, null, 2).split('\n');
