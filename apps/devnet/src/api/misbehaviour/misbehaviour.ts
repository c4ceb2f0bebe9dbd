import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RawBlock } from '../../chain/raw-block.js';
import type { DevnetContext } from '../devnet-context.js';

/** What a node does wrong. Each kind has a say at one point of an answer's way and leaves the others out. */
export interface Misbehaviour {
  /** Before the route: may send something else, wait, throw an `ApiError`, or take the connection for itself. */
  readonly onRequest?: (request: FastifyRequest, reply: FastifyReply) => unknown;
  /** A list of blocks, before it is presented. */
  readonly onBlocks?: (blocks: readonly RawBlock[]) => readonly RawBlock[];
  /** The text of an answer, before it is sent. */
  readonly onText?: (text: string, reply: FastifyReply) => unknown;
  /** The chain that answers in place of the devnet's own for this request; null for its own. */
  readonly chain?: () => DevnetContext['chain'] | null;
  /** A branch that it shows beside the devnet's own, made by the same rules. */
  readonly branch?: DevnetContext['chain'];
  /** Called once, when the node behaves again. */
  readonly end?: () => void;
}
