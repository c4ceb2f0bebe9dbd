import type { UnpackingStep } from '@roundhouse/source';
import type { Logger } from 'pino';

const WORDS: Readonly<Record<UnpackingStep['step'], string>> = {
  begun:
    'this gzipped archive cannot be read from the middle, because "indexer export" did not write it: it is unpacked once',
  waiting: 'another process unpacks the same archive: waiting for it',
  'under way': 'unpacking the archive',
  done: 'the archive is unpacked: the copy is used from now on, also by later starts, until the archive changes',
  reused: 'the copy of the archive that an earlier start has unpacked is used',
};

/** Logs where an archive is unpacked to and how much disk that takes. */
export const logUnpacking = (logger: Logger, { step, ...sizes }: UnpackingStep): void => {
  const { archive, copy, copyBytes, doneBytes, allBytes } = sizes;
  const copyMegabytes = Math.round(copyBytes / 1e6);
  const percent = Math.floor((100 * doneBytes) / allBytes);
  logger.info({ archive, copy, copyMegabytes, percent }, WORDS[step]);
};
