import type { IncomingHttpHeaders } from 'node:http';
import {
  CoreNode,
  ListedChain,
  madeBodies,
  misbehave,
  NODE_KINDS,
  NODE_LINES,
  NodeServer,
  NodeShape,
  usernamesIn,
  type AnswerNode,
  type ArchiveBlock,
  type NodeAnswer,
  type NodeBlock,
  type NodeBodies,
  type NodeConfiguration,
  type NodeLineName,
  type NodeRequest,
  type Reply,
} from '@roundhouse/core-node';
import type { Recording } from '../recordings.js';
import { recordedAnswers, recordedConfiguration, recordedNodeChain } from './recorded-node-chain.js';

const RECORDED: Readonly<Record<Recording, NodeLineName>> = { 'core-2.4': '2.4', 'core-3.9': '3.0.6-3.9' };

/** Called before the node answers. What it returns is the answer; undefined leaves the answer to the node. */
export type Intercept = (request: NodeRequest) => NodeAnswer | undefined | void;

/** A kind of `NODE_KINDS`, and its fields. */
export interface MisbehaviourOrder extends Readonly<Record<string, unknown>> {
  readonly kind: keyof typeof NODE_KINDS;
}

/**
 * Stands in for a Core node at the HTTP level. It answers any query of an indexer with the shapes, limits and orders of
 * its line: from the recorded answers of a real node, or from any list of blocks.
 */
export class CoreApiStandIn {
  /** The path of every request, in order. */
  readonly requests: string[] = [];
  /** The headers of every request, in order. */
  readonly requestHeaders: IncomingHttpHeaders[] = [];
  /** May also change the chain between two requests of a client. */
  intercept: Intercept = () => undefined;
  private node: CoreNode;
  private blocks: readonly NodeBlock[];
  private listed: ListedChain;
  private readonly orders: MisbehaviourOrder[] = [];
  private readonly server = new NodeServer(
    (request) => this.reply(request),
    (error) => {
      throw error;
    },
  );

  private constructor(
    line: NodeLineName,
    private readonly configuration: NodeConfiguration,
    bodies: NodeBodies,
    chain: readonly NodeBlock[],
  ) {
    this.node = new CoreNode({ line: NODE_LINES[line], isExact: false }, bodies);
    this.chain = chain;
  }

  /** The node of a recording. */
  static start(recording: Recording): Promise<CoreApiStandIn> {
    const recorded = recordedAnswers(recording);
    const bodyOf: NodeBodies = (path) =>
      recorded.find((answer) => answer.path.replace(/^\/api(\/v2)?/, '') === path)?.body ?? null;
    const configuration = recordedConfiguration(recording);
    return new CoreApiStandIn(
      RECORDED[recording],
      configuration,
      bodyOf,
      recordedNodeChain(recording),
    ).listen();
  }

  /** A node of a line that has these blocks. */
  static startLine(...parts: Parameters<typeof CoreApiStandIn.ofLine>): Promise<CoreApiStandIn> {
    return CoreApiStandIn.ofLine(...parts).listen();
  }

  /** The same without a port. */
  static ofLine(
    name: NodeLineName,
    configuration: NodeConfiguration,
    blocks: readonly ArchiveBlock[],
  ): CoreApiStandIn {
    const bodies = madeBodies(NODE_LINES[name], configuration);
    const standIn = new CoreApiStandIn(name, configuration, bodies, []);
    standIn.show(blocks);
    return standIn;
  }

  /** Writes the chain of these blocks as its line shows it. */
  show(blocks: readonly ArchiveBlock[]): void {
    const shape = new NodeShape(this.node.form.line, this.configuration, usernamesIn(blocks));
    this.chain = blocks.map((block) => shape.show(block));
  }

  private async listen(): Promise<this> {
    await this.server.listen();
    return this;
  }

  get url(): string {
    return this.server.url;
  }

  /** The node's current chain. A test may cut it off, extend it, or replace it with another branch. */
  get chain(): readonly NodeBlock[] {
    return this.blocks;
  }

  set chain(blocks: readonly NodeBlock[]) {
    this.blocks = blocks;
    this.listed = new ListedChain(blocks);
  }

  /** From now on, the node is of the other's line and has its chain. */
  behaveAs({ node, chain }: CoreApiStandIn): void {
    Object.assign(this, { node, chain });
  }

  /** Applies each of these to one of the next requests. */
  misbehave(...orders: readonly MisbehaviourOrder[]): void {
    this.orders.push(...orders);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** What it answers if it behaves. */
  answer(...asked: Parameters<AnswerNode>): ReturnType<AnswerNode> {
    return this.node.answer(this.listed, ...asked);
  }

  private async reply(request: NodeRequest): Promise<Reply> {
    this.requests.push(request.path);
    this.requestHeaders.push(request.headers);
    this.server.destroysConnections = this.node.form.line.destroysConnections;
    const intercepted = this.intercept(request);
    const { kind, ...fields } = this.orders.shift() ?? {};
    if (intercepted) return intercepted;
    if (kind === undefined) return this.answer(request);
    return misbehave(NODE_KINDS[kind].begin(fields, undefined), request, (...asked) => this.answer(...asked));
  }
}
