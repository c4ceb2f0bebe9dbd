import { foreignRulesOf, isKnownType } from '@roundhouse/chain';
import type { CoreApiSource } from '../core-api/core-api-source.js';
import { nameOf, readNodeTypes } from '../core-api/chain-problem.js';

/** What a node says about itself. */
interface NodeFacts {
  readonly line: string;
  readonly version: string | null;
  readonly remarks: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const partOf = (value: unknown, key: string): unknown => (value as Json | null | undefined)?.[key];

/** Throws `NodeUnavailableError` and `NodeProtocolError`. */
export const readNodeFacts = async (node: CoreApiSource): Promise<NodeFacts> => {
  const line = await node.lineName();
  const version = partOf(partOf(await node.find('/node/configuration'), 'core'), 'version');
  const rules = foreignRulesOf(await node.find('/node/configuration/crypto'));
  const chain = rules.find((rule) => rule.chain !== null)?.chain;
  const behind = partOf(await node.find('/node/syncing'), 'blocks');
  const others = (await readNodeTypes((path) => node.find(path))).filter(
    ({ typeGroup, type, isForeign }) => !isForeign && !isKnownType(typeGroup, type),
  );
  const remarks: string[] = [];
  if (typeof behind === 'number' && behind > 1) {
    remarks.push(`The node says that it is ${behind} blocks behind its network.`);
  }
  if (others.length > 0) {
    remarks.push(
      `Transactions of ${others.map(nameOf).join(', ')} are indexed as unknown types: they cost their fee, an amount moves ` +
        `to the recipient, and their ids are not proven.`,
    );
  }
  return {
    line: chain ?? `Core ${line}`,
    version: typeof version === 'string' ? version : null,
    remarks,
  };
};
