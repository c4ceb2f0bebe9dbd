import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { RawBlock } from '../../chain/raw-block.js';
import type { DevnetContext } from '../devnet-context.js';
import { gap, gapOrder, wrongOrder, wrongOrderOrder } from './broken-pages.js';
import {
  cutOff,
  cutOffOrder,
  invalidJson,
  invalidJsonOrder,
  truncated,
  truncatedOrder,
} from './broken-text.js';
import { down, downOrder } from './down.js';
import { endlessBody, endlessBodyOrder, endlessPages, endlessPagesOrder } from './endless.js';
import { failing, failingOrder } from './failing.js';
import { hanging, hangingOrder } from './hanging.js';
import { lyingContents, lyingContentsOrder } from './lying-contents.js';
import { boasting, boastingOrder } from './lying-heights.js';
import { lyingIds, lyingIdsOrder } from './lying-ids.js';
import type { Misbehaviour } from './misbehaviour.js';
import {
  backwards,
  backwardsOrder,
  behind,
  behindOrder,
  forksInTurn,
  forksInTurnOrder,
  otherNetwork,
  otherNetworkOrder,
} from './other-chains.js';
import { rateLimit, rateLimitOrder } from './rate-limit.js';
import { slow, slowOrder } from './slow.js';
import {
  unlawful,
  unlawfulOrder,
  wrongId,
  wrongIdOrder,
  wrongPayloadHash,
  wrongPayloadHashOrder,
  wrongSignature,
  wrongSignatureOrder,
} from './wrong-block.js';

export const misbehaviourOrder = z.discriminatedUnion('kind', [
  downOrder,
  hangingOrder,
  slowOrder,
  failingOrder,
  rateLimitOrder,
  truncatedOrder,
  cutOffOrder,
  invalidJsonOrder,
  endlessPagesOrder,
  endlessBodyOrder,
  gapOrder,
  wrongOrderOrder,
  wrongIdOrder,
  wrongPayloadHashOrder,
  wrongSignatureOrder,
  unlawfulOrder,
  boastingOrder,
  lyingIdsOrder,
  lyingContentsOrder,
  otherNetworkOrder,
  behindOrder,
  backwardsOrder,
  forksInTurnOrder,
]);

export type MisbehaviourOrder = z.infer<typeof misbehaviourOrder>;

const begin = (order: MisbehaviourOrder, context: DevnetContext): Misbehaviour => {
  switch (order.kind) {
    case 'down':
      return down();
    case 'hanging':
      return hanging();
    case 'slow':
      return slow(order);
    case 'failing':
      return failing(order);
    case 'rate-limit':
      return rateLimit(order);
    case 'truncated':
      return truncated();
    case 'cut-off':
      return cutOff();
    case 'invalid-json':
      return invalidJson();
    case 'endless-pages':
      return endlessPages();
    case 'endless-body':
      return endlessBody();
    case 'gap':
      return gap();
    case 'wrong-order':
      return wrongOrder();
    case 'wrong-id':
      return wrongId(context);
    case 'wrong-payload-hash':
      return wrongPayloadHash(context);
    case 'wrong-signature':
      return wrongSignature(context);
    case 'unlawful':
      return unlawful(context, order);
    case 'boasting':
      return boasting(order);
    case 'lying-ids':
      return lyingIds(context, order);
    case 'lying-contents':
      return lyingContents(context, order);
    case 'other-network':
      return otherNetwork(context);
    case 'behind':
      return behind(context, order);
    case 'backwards':
      return backwards(context, order);
    case 'forks-in-turn':
      return forksInTurn(context, order);
  }
};

type Chain = DevnetContext['chain'];

/** The current misbehaviour of the node, if any. A new order replaces the previous one. */
export class Misbehaviours {
  private current: Misbehaviour | null = null;
  private requestsLeft = Infinity;
  /** The highest page that clients have requested of any list since the last order. */
  largestPage = 0;
  /** How many requests have come. */
  requests = 0;
  /** The APIs of the chains that have answered instead of the devnet's own. */
  private readonly apis = new WeakMap<Chain, FastifyInstance>();

  constructor(
    private readonly context: DevnetContext,
    private readonly apiOver: (chain: Chain) => FastifyInstance,
  ) {}

  /** `count` is the number of requests, or of lists of blocks, that are answered like this. Throws `DevnetError`. */
  order(order: MisbehaviourOrder, count = Infinity): void {
    this.end();
    this.current = begin(order, this.context);
    this.requestsLeft = count;
    this.largestPage = 0;
  }

  end(): void {
    this.current?.end?.();
    this.current = null;
  }

  /** Null unless the node shows a second branch. */
  get branch(): Chain | null {
    return this.current?.branch ?? null;
  }

  async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { current } = this;
    this.requests += 1;
    const { page } = request.query as { readonly page?: string };
    this.largestPage = Math.max(this.largestPage, Number(page ?? 0) || 0);
    if (current?.onRequest && this.take()) {
      await current.onRequest(request, reply);
    } else if (current?.chain && this.take()) {
      const chain = current.chain();
      if (chain) await this.answerFrom(chain, request, reply);
    }
  }

  onBlocks(blocks: readonly RawBlock[]): readonly RawBlock[] {
    const { current } = this;
    return current?.onBlocks && this.take() ? current.onBlocks(blocks) : blocks;
  }

  onText(text: unknown, reply: FastifyReply): unknown {
    const { current } = this;
    return typeof text === 'string' && current?.onText && this.take() ? current.onText(text, reply) : text;
  }

  private take(): boolean {
    if (this.requestsLeft === 0) return false;
    this.requestsLeft -= 1;
    return true;
  }

  private async answerFrom(
    chain: Chain,
    { method, url }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    let api = this.apis.get(chain);
    if (!api) this.apis.set(chain, (api = this.apiOver(chain)));
    const answer = await api.inject({ method, url });
    void reply.header('x-block-height', chain.state.height);
    await reply.status(answer.statusCode).type('application/json; charset=utf-8').send(answer.payload);
  }
}
