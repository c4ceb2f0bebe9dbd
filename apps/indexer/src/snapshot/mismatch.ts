import { OperatorError } from '@roundhouse/config';
import { SnapshotMismatchError } from '@roundhouse/storage';

/** If rows do not match their digests, the message of that error followed by what to do; any other error as it is. */
export const asOperatorError = (error: unknown, next: string): unknown =>
  error instanceof SnapshotMismatchError
    ? new OperatorError(`${error.message} ${next}`, { cause: error })
    : error;
