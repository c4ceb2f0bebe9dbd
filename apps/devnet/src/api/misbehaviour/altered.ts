/** Returns another text of the same form. */
export const altered = (digits: string): string => digits.slice(0, -1) + (digits.endsWith('1') ? '2' : '1');
