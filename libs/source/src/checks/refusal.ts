import { InvalidBlockError, type ShapeError } from '@roundhouse/chain';
import { NodeProtocolError } from '../errors/node-errors.js';

const heightIn = (value: unknown): number | undefined => {
  const height = (value as { readonly height?: unknown } | null)?.height;
  return typeof height === 'number' ? height : undefined;
};

/** The error for a value of the wrong shape; `what` names it if neither it nor the caller knows its height. */
export const invalidForm = (
  source: string,
  what: string,
  value: unknown,
  cause: ShapeError,
  height = heightIn(value),
): NodeProtocolError =>
  new NodeProtocolError(
    source,
    `${source} returned ${height === undefined ? what : `${what} at height ${height}`} in an invalid form: ${cause.message}. ` +
      `Nothing of it was stored. Check that this is the right source, or use another one.`,
    { cause, ...(height === undefined ? {} : { height }) },
  );

/** What to do if another node has the same block, if the operator has named the network. */
export const CHECK_NETWORK =
  'if they agree, check NETWORK (its milestones and exceptions), otherwise use another BLOCK_SOURCE';

/** The error for a block that breaks a rule. `advice`: what to do if another node has the same block. */
export const wrongBlock = (
  source: string,
  height: number,
  problem: string,
  advice: string,
  cause: unknown = new InvalidBlockError(height, problem),
): NodeProtocolError =>
  new NodeProtocolError(
    source,
    `Block ${height} from ${source}: ${problem}. Nothing of the range was stored. Compare the block with ` +
      `another node's; ${advice}.`,
    { cause, height },
  );
