import {
  misbehave,
  NODE_KINDS,
  type AnswerNode,
  type Kind,
  type NodeRequest,
  type Reply,
} from '@roundhouse/core-node';
import type { DevnetChain } from '../chain/devnet-chain.js';
import { DevnetError } from '../devnet.error.js';
import { CHAIN_KINDS, type ChainMisbehaviour, type Scene } from './chain-kinds.js';

const KINDS: Readonly<Record<string, Kind<Scene, ChainMisbehaviour>>> = { ...NODE_KINDS, ...CHAIN_KINDS };

/** The current misbehaviour of the node, if any. A new order replaces the previous one. */
export class Misbehaviours {
  private current: ChainMisbehaviour | null = null;
  private requestsLeft = Infinity;
  /** The highest page that clients have requested of any list since the last order. */
  largestPage = 0;
  /** How many requests have come. */
  requests = 0;

  constructor(
    private readonly scene: Scene,
    private readonly node: AnswerNode,
  ) {}

  /**
   * `count` is the number of requests, or of lists of blocks, that are answered like this. Throws `DevnetError`, or
   * `ZodError` for wrong fields.
   */
  order(kind: string, fields: object, count = Infinity): void {
    const known = KINDS[kind];
    if (!known) throw new DevnetError(`"kind": there is no "${kind}", only ${Object.keys(KINDS).join(', ')}`);
    const next = known.begin(fields, this.scene);
    this.end();
    this.current = next;
    this.requestsLeft = count;
    this.largestPage = 0;
  }

  end(): void {
    this.current?.end?.();
    this.current = null;
  }

  /** Null unless the node shows a second branch. */
  get branch(): DevnetChain | null {
    return this.current?.branch ?? null;
  }

  async answer(request: NodeRequest): Promise<Reply> {
    this.requests += 1;
    const page = new URL(request.path, 'http://node.invalid').searchParams.get('page');
    this.largestPage = Math.max(this.largestPage, Number(page ?? 0) || 0);
    if (!this.current) return this.node(request);
    return misbehave(this.current, request, this.node, () => {
      if (this.requestsLeft === 0) return false;
      this.requestsLeft -= 1;
      return true;
    });
  }
}
