import { sha256As } from '@roundhouse/chain';

export const sha256Of = (text: string): string => sha256As('hex', text);

/** The text of a file that `sha256sum -c` reads. */
export const checksumList = (files: readonly { readonly name: string; readonly sha256: string }[]): string =>
  files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
