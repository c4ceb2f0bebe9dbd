import { randomUUID } from 'node:crypto';

/** JSON in which each `bigint` is a number with all its digits. */
export const exactJson = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch {
    // It has a bigint.
  }
  const mark = randomUUID();
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'bigint' ? `${mark}${inner}` : inner,
  );
  return text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
};
