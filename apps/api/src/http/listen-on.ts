import { OperatorError } from '@roundhouse/config';

/** Listens, or says in one sentence what the operator can do. `setting` is the name of the port's variable. */
export const listenOn = async <T>(
  setting: string,
  port: number,
  host: string,
  listen: () => Promise<T>,
): Promise<T> => {
  try {
    return await listen();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const what =
      code === 'EADDRINUSE'
        ? `${setting} ${port} is in use on ${host}: stop the other program or set another ${setting}.`
        : `The api cannot listen on ${host}, port ${port} (${message}): correct HOST or ${setting}.`;
    throw new OperatorError(what, { cause: error });
  }
};
