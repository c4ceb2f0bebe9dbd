/** Errors with a code say in their message what to do; of all others the stack is worth more. */
export const messageOf = (error: unknown): string => {
  const { code, message, stack } = error as Error & { code?: unknown };
  return (typeof code === 'string' ? message : stack) ?? message;
};
