import { OperatorError } from '@roundhouse/config';

const CHECK_PATH = 'check the path, its permissions and the disk space. The same command continues.';

/** Does what needs a path. Throws `OperatorError` with `advice` if that fails. */
const unless =
  (failed: 'read' | 'written') =>
  async <T>(path: string, work: (path: string) => Promise<T>, advice = CHECK_PATH): Promise<T> => {
    try {
      return await work(path);
    } catch (error) {
      throw new OperatorError(`${path} cannot be ${failed} (${(error as Error).message}): ${advice}`, {
        cause: error,
      });
    }
  };

export const reading = unless('read');

export const writing = unless('written');
