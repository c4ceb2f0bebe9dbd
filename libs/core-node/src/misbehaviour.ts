import type { z } from 'zod';
import type { OnBlocks } from './node-answers.js';
import type { NodeAnswer, NodeRequest, Reply } from './node-server.js';

/** An answer of a node that behaves. */
export interface TextAnswer extends NodeAnswer {
  readonly body: string;
}

export type AnswerNode = (request: NodeRequest, onBlocks?: OnBlocks) => TextAnswer;

/** What a node does wrong. Each kind implements some of these. */
export interface Misbehaviour {
  /** What it returns comes of the request; undefined leaves the answer to the node. */
  readonly onRequest?: (request: NodeRequest) => Reply | undefined | Promise<Reply | undefined>;
  readonly onBlocks?: OnBlocks;
  readonly onAnswer?: (answer: TextAnswer, request: NodeRequest, node: AnswerNode) => NodeAnswer;
  /** Called once, when the node recovers. */
  readonly end?: () => void;
}

/** A kind of misbehaviour, which begins by an order with further fields. */
export interface Kind<Context, Begun extends Misbehaviour = Misbehaviour> {
  /** Throws `ZodError` for wrong fields. */
  readonly begin: (fields: unknown, context: Context) => Begun;
}

export const kind = <Fields extends z.ZodType, Context, Begun extends Misbehaviour>(
  fields: Fields,
  begin: (order: z.infer<Fields>, context: Context) => Begun,
): Kind<Context, Begun> => ({ begin: (order, context) => begin(fields.parse(order), context) });

/** What comes of a request to a node that misbehaves. `take` says whether it still does, and counts what it does. */
export const misbehave = async (
  { onRequest, onBlocks, onAnswer }: Misbehaviour,
  request: NodeRequest,
  node: AnswerNode,
  take: () => boolean = () => true,
): Promise<Reply> => {
  const instead = onRequest && take() ? await onRequest(request) : undefined;
  if (instead !== undefined) return instead;
  const answer = node(request, onBlocks && ((blocks) => (take() ? onBlocks(blocks) : blocks)));
  return onAnswer && take() ? onAnswer(answer, request, node) : answer;
};

export type Data = Readonly<Record<string, unknown>>;

/** Changes the `data` of successful answers on matching paths; a list is changed item by item. */
export const rewritten = (paths: RegExp, change: (data: Data) => Data): Misbehaviour => ({
  onAnswer: (answer, { path }) => {
    if (answer.status !== 200 || !paths.test(path.replace(/\?.*/, ''))) return answer;
    const body = JSON.parse(answer.body) as { readonly data: Data | readonly Data[] };
    const data = Array.isArray(body.data) ? (body.data as Data[]).map(change) : change(body.data as Data);
    return { ...answer, body: JSON.stringify({ ...body, data }) };
  },
});
