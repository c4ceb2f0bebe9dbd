import { messageOf } from '../commands/error-message.js';

/** 0 where all is equal, 1 where something differs; an error is told apart from both by 2. */
export const exitCodeOfCheck = async (check: () => Promise<boolean>): Promise<number> => {
  try {
    return (await check()) ? 0 : 1;
  } catch (error) {
    console.error(messageOf(error));
    return 2;
  }
};
