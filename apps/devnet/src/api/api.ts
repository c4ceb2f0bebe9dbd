import { NodeServer, type AnswerNode, type NodeRequest, type Reply } from '@roundhouse/core-node';
import type { DevnetContext } from './devnet-context.js';
import { Misbehaviours } from './misbehaviours.js';
import { devnetNode } from './node.js';
import { answerOrder } from './orders.js';

export interface ApiOptions {
  /** Whether to serve `/devnet/…`. */
  readonly hasControl: boolean;
  /** Receives internal errors of the devnet; the client only gets a 500. */
  readonly onError: (error: Error) => void;
}

/** A second address of the same node. It never misbehaves, for clients with several sources. */
const WELL_BEHAVED = '/devnet/well';

/** The devnet's API: a node of Core 3.9, and the orders for it. */
export class DevnetApi {
  private readonly node: AnswerNode;
  private readonly misbehaviours: Misbehaviours;
  private readonly server: NodeServer;

  constructor(
    private readonly context: DevnetContext,
    private readonly options: ApiOptions,
  ) {
    this.node = devnetNode(context);
    const nodeOf = (chain: DevnetContext['chain']): AnswerNode => devnetNode({ ...context, chain });
    this.misbehaviours = new Misbehaviours({ chain: context.chain, nodeOf }, this.node);
    this.server = new NodeServer((request) => this.answer(request), options.onError);
  }

  /** Resolves to its URL. */
  listen(host: string, port: number): Promise<string> {
    return this.server.listen(host, port);
  }

  close(): Promise<void> {
    this.misbehaviours.end();
    return this.server.close();
  }

  async answer(request: NodeRequest): Promise<Reply> {
    const reply = await this.reply(request);
    // Core 3.x also destroys each connection after its answer.
    return reply === 'disconnect' ? reply : { ...reply, headers: { ...reply.headers, connection: 'close' } };
  }

  private reply(request: NodeRequest): Reply | Promise<Reply> {
    const { path } = request;
    if (path.startsWith('/api')) return this.misbehaviours.answer(request);
    if (!this.options.hasControl || !path.startsWith('/devnet/')) return this.node(request);
    if (path.startsWith(`${WELL_BEHAVED}/`))
      return this.node({ ...request, path: path.slice(WELL_BEHAVED.length) });
    return answerOrder(this.context, this.misbehaviours, request);
  }
}
