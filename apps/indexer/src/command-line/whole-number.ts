import { OperatorError } from '@roundhouse/config';

/** Null unless the text is a whole number of 1 or more. */
export const wholeNumberOf = (text: string): number | null =>
  /^\d{1,9}$/.test(text) && Number(text) >= 1 ? Number(text) : null;

/** The number that an option was given; null if the option is missing. Throws `OperatorError`. */
export const readWholeNumber = (option: string, text: string | undefined): number | null => {
  if (text === undefined) return null;
  const number = wholeNumberOf(text);
  if (number !== null) return number;
  throw new OperatorError(`${option} takes a whole number of 1 or more, not "${text}".`);
};
