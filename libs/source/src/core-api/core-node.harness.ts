import {
  CoreApiStandIn,
  MAGISTRATE_TYPES,
  readRecording,
  recordedConfiguration,
  type ArchiveBlock,
} from '@roundhouse/testing';
import { parseLosslessJson, TransactionType, type JsonObject } from '@roundhouse/chain';
import { TestNode, type Answer, type Request } from '../node.harness.js';

/** A block in the form that a peer sends, which is also the form of an archive line. */
export interface RawBlock extends JsonObject {
  readonly height: number;
  readonly id: string;
  readonly transactions: readonly JsonObject[];
}

export const recordedChain = (recording: 'core-2.4' | 'core-3.9'): RawBlock[] =>
  readRecording<RawBlock>(recording, 'chain.ndjson.gz');

/** The blocks of core-2.4 up to height 300, followed by the branch that was recorded with them. */
export const recordedFork = (): RawBlock[] => [
  ...recordedChain('core-2.4').slice(0, 300),
  ...readRecording<RawBlock>('core-2.4', 'fork-from-301.ndjson.gz'),
];

/** As Core 2.4.15 answers. */
export const OLD_TYPES = {
  Transfer: 0,
  SecondSignature: 1,
  DelegateRegistration: 2,
  Vote: 3,
  MultiSignature: 4,
  Ipfs: 5,
  TimelockTransfer: 6,
  MultiPayment: 7,
  DelegateResignation: 8,
};

/** As Core 3.9.1 answers; 2.6 and 2.7 have the same form. */
export const TYPES = {
  '1': TransactionType,
  '2': MAGISTRATE_TYPES,
};

const NOTHING: Answer = { status: 404, body: { statusCode: 404, error: 'Not Found', message: 'Not Found' } };

export const matches = (path: string, part: string | RegExp): boolean =>
  typeof part === 'string' ? path.includes(part) : part.test(path);

/** A node that does not tell its network. A test may change `blocks` and its answers at any time. */
export class CoreNode {
  /** What the node answers to `transactions/types`. */
  types: JsonObject;
  /** Called first. Its result is the answer; undefined leaves the answer to the chain. */
  intercept: (request: Request) => Answer | null | undefined = () => undefined;
  readonly server: TestNode;
  private readonly node: CoreApiStandIn;
  private shown: readonly RawBlock[];

  constructor(
    readonly line: '2.x' | '3.x',
    recording: 'core-2.4' | 'core-3.9',
  ) {
    this.shown = recordedChain(recording);
    this.types = line === '2.x' ? OLD_TYPES : TYPES;
    this.node = CoreApiStandIn.ofLine(
      line === '2.x' ? '2.4' : '3.0.6-3.9',
      recordedConfiguration(recording),
      this.shown as readonly (RawBlock & ArchiveBlock)[],
    );
    this.server = new TestNode((request) => {
      const intercepted = this.intercept(request);
      return intercepted === undefined ? this.answer(request) : intercepted;
    });
  }

  get blocks(): readonly RawBlock[] {
    return this.shown;
  }

  set blocks(blocks: readonly RawBlock[]) {
    this.shown = blocks;
    this.node.show(blocks as readonly (RawBlock & ArchiveBlock)[]);
  }

  /** Answers each request whose path contains or matches `part` with this `data`. */
  show(part: string | RegExp, data: unknown): void {
    this.intercept = ({ path }) => (matches(path, part) ? { body: { data } } : undefined);
  }

  answer({ path, payload }: Pick<Request, 'path' | 'payload'>): Answer {
    if (/^\/api(\/v2)?\/transactions\/types$/.test(path)) return { body: { data: this.types } };
    if (path.includes('/node/configuration')) return NOTHING;
    const method = payload === undefined ? 'GET' : 'POST';
    const request = { method, path, headers: {}, payload: JSON.stringify(payload ?? {}) };
    const { status = 200, body } = this.node.answer(request);
    return { status, body: parseLosslessJson(body) };
  }
}
