import { ReadyJson } from '../answers/write-answer.js';

const writeValue = (value: unknown): string => {
  if (value instanceof ReadyJson) return value.text;
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(writeValue).join(',')}]`;
  return typeof value === 'object' && value !== null ? writeNodeAnswer(value) : JSON.stringify(value);
};

/**
 * Writes an answer as JSON, integers with all their digits. Fields that are undefined are absent, as a node leaves out
 * what it does not have.
 */
export const writeNodeAnswer = (content: object): string => {
  const fields = Object.entries(content)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${writeValue(value)}`);
  return `{${fields.join(',')}}`;
};
