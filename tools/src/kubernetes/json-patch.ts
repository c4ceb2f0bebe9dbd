import { isObject, type Json } from './manifest.js';

export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: Json;
}

const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

const get = (target: Json, token: string): Json | undefined => {
  if (Array.isArray(target)) return target[Number(token)];
  return isObject(target) ? target[token] : undefined;
};

/** Applies one operation of RFC 6902 in place. Throws if its path does not exist. */
export const applyOperation = (document: Json, { op, path, value }: PatchOperation): void => {
  const tokens = tokensOf(path);
  const last = tokens.pop();
  let parent: Json | undefined = document;
  for (const token of tokens) parent = parent === undefined ? undefined : get(parent, token);
  const isThere = last !== undefined && parent !== undefined && get(parent, last) !== undefined;
  if (last === undefined || typeof parent !== 'object' || parent === null || (op !== 'add' && !isThere)) {
    throw new Error(`The path of the patch "${op} ${path}" does not exist.`);
  }
  if (Array.isArray(parent)) {
    const index = last === '-' ? parent.length : Number(last);
    parent.splice(index, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value!]));
  } else if (op === 'remove') delete parent[last];
  else parent[last] = value!;
};
