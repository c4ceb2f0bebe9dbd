import type { NodeChain } from './node-chain.js';
import { NodeAnswers, type OnBlocks } from './node-answers.js';
import type { NodeBodies } from './node-bodies.js';
import type { NodeForm } from './node-page.js';
import { notFound, NodeRefusal, parsePayload } from './node-refusal.js';
import type { TextAnswer } from './misbehaviour.js';
import type { NodeRequest } from './node-server.js';

/** What a node serves besides: the body of an answer, or undefined. The address is without the line's root. */
export type More = (url: URL, request: NodeRequest, answers: NodeAnswers) => string | undefined;

/** A node of one line of Core. */
export class CoreNode {
  constructor(
    readonly form: NodeForm,
    private readonly bodies: NodeBodies,
    private readonly more: More = () => undefined,
  ) {}

  /** Answers like a node that has this chain. */
  answer(chain: NodeChain, request: NodeRequest, onBlocks?: OnBlocks): TextAnswer {
    const headers: Record<string, string> = this.form.line.hasSearches
      ? { 'api-version': '2' }
      : { 'x-block-height': `${chain.height}` };
    try {
      const url = this.addressOf(request);
      const answers = new NodeAnswers(this.form, this.bodies, chain, onBlocks);
      const body = this.more(url, request, answers) ?? this.usual(url, request, answers);
      return { status: 200, headers, body };
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      return { status: error.status, headers, body: error.body };
    }
  }

  private usual(url: URL, { method, payload }: NodeRequest, answers: NodeAnswers): string {
    return method === 'POST' ? answers.search(url, parsePayload(payload)) : answers.answer(url);
  }

  private addressOf({ path, headers }: NodeRequest): URL {
    const address = new URL(path, 'http://node.invalid');
    const { root } = this.form.line;
    const [, version, rest] = /^\/api(\/v2)?(\/.*)$/.exec(address.pathname) ?? [];
    const isVersioned = version !== undefined || headers['api-version'] === '2';
    if (rest === undefined || (root === 'plain' && version !== undefined)) throw notFound();
    if (root === 'versioned' && !isVersioned) throw notFound();
    address.pathname = rest.replace(/\/$/, '');
    return address;
  }
}
