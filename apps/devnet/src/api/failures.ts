import { ApiError } from './api.error.js';

/** Answers that a tester has ordered in place of the real ones. */
export class Failures {
  private statusCode = 503;
  private left = 0;

  order(statusCode: number, count: number): void {
    this.statusCode = statusCode;
    this.left = count;
  }

  /** The error that this request gets; null for the usual answer. */
  take(): ApiError | null {
    if (this.left === 0) return null;
    this.left -= 1;
    return new ApiError(this.statusCode);
  }
}
