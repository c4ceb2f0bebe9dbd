import { OperatorError } from '@roundhouse/config';

/** The height that `--to` names, as it was typed; null where it was not. Throws `OperatorError`. */
export const readHeight = (text: string | undefined): number | null => {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new OperatorError(`"--to ${text}" is no height: say a whole number of 1 or more.`);
};
