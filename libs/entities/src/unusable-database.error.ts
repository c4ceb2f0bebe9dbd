/** An index cannot be in this database; the message says what to do. */
export class UnusableDatabaseError extends Error {
  readonly code = 'UNUSABLE_DATABASE';

  constructor(problem: string) {
    super(problem);
    this.name = 'UnusableDatabaseError';
  }
}
