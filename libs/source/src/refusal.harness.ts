/** What an error of a source that answers wrongly has, for `toMatchObject`: its message contains or matches `says`. */
export const refusal = (says: string | RegExp, more: object = {}): object => ({
  name: 'NodeProtocolError',
  message: typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says),
  ...more,
});

/** The error with which a promise is rejected. */
export const failureOf = (answer: Promise<unknown>): Promise<Error> =>
  answer.then(
    () => new Error('It did not fail.'),
    (error: unknown) => error as Error,
  );
