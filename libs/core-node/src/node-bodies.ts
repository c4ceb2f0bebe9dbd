import type { NodeLine } from './node-lines.js';
import type { NodeConfiguration } from './node-shape.js';

/** What a node answers below `/node`, by the path without the line's root. Null if it has nothing there. */
export type NodeBodies = (path: string) => string | null;

/** As a node of the line that has this configuration and is not recorded. */
export const madeBodies = (line: NodeLine, configuration: NodeConfiguration): NodeBodies => {
  const { nethash, pubKeyHash, client } = configuration.network;
  const core = line.version === null ? {} : { core: { version: line.version } };
  const answers: Readonly<Record<string, object>> = {
    '/node/status': { synced: true },
    '/node/syncing': { syncing: false },
    '/node/configuration': { ...core, nethash, ...client, version: pubKeyHash },
    ...(line.hasCrypto ? { '/node/configuration/crypto': configuration } : {}),
  };
  return (path) => (answers[path] ? JSON.stringify({ data: answers[path] }) : null);
};
