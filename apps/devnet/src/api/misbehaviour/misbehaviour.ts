import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RawBlock } from '../../chain/raw-block.js';
import type { DevnetContext } from '../devnet-context.js';

/** What a node does wrong. Each kind of misbehaviour implements some of these hooks. */
export interface Misbehaviour {
  /** Runs before the route. It may send another answer, wait, throw an `ApiError`, or take over the connection. */
  readonly onRequest?: (request: FastifyRequest, reply: FastifyReply) => unknown;
  /** Changes a list of blocks before it is presented. */
  readonly onBlocks?: (blocks: readonly RawBlock[]) => readonly RawBlock[];
  /** Changes the text of an answer before it is sent. */
  readonly onText?: (text: string, reply: FastifyReply) => unknown;
  /** Returns the chain that answers this request; null for the devnet's own. */
  readonly chain?: () => DevnetContext['chain'] | null;
  /** A branch that it shows in addition to the devnet's own, made by the same rules. */
  readonly branch?: DevnetContext['chain'];
  /** Called once, when the node recovers. */
  readonly end?: () => void;
}
