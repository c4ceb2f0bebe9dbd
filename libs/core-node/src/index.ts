export { exactJson } from './exact-json.js';
export { CoreNode, type More } from './core-node.js';
export {
  kind,
  misbehave,
  rewritten,
  type AnswerNode,
  type Data,
  type Kind,
  type Misbehaviour,
} from './misbehaviour.js';
export { MAGISTRATE_TYPES } from './magistrate-types.js';
export { NODE_KINDS } from './misbehaviours.js';
export type { NodeAnswers } from './node-answers.js';
export { madeBodies, type NodeBodies } from './node-bodies.js';
export { ListedChain, type NodeBlock, type NodeChain, type NodeText } from './node-chain.js';
export { NODE_LINES, type NodeLineName } from './node-lines.js';
export { notFound, NodeRefusal, parsePayload, refusalBody } from './node-refusal.js';
export { NodeServer, type NodeAnswer, type NodeRequest, type Reply } from './node-server.js';
export {
  NodeShape,
  shownTimestamp,
  usernamesIn,
  type ArchiveBlock,
  type NodeConfiguration,
} from './node-shape.js';
