/**
 * What one line of Core's public API does otherwise than another, for what an indexer asks. By Core's own source:
 * `packages/core-api` (the transformers or resources, the schemas, the server and its plugins) at the tags of these versions.
 */
export interface NodeLine {
  /** Where it answers: below `/api/v2`, or `/api` with the header `API-Version: 2`; below both alike; below `/api` alone. */
  readonly root: 'versioned' | 'both' | 'plain';
  /** The status with which it refuses parameters. */
  readonly refusal: 400 | 422;
  /** What `node/configuration` tells as `core.version`. */
  readonly version: string | null;
  /** Whether it has `node/configuration/crypto`. */
  readonly hasCrypto: boolean;
  /** `POST blocks/search` and `POST transactions/search`, or else ranges and lists of values in the query. */
  readonly hasSearches: boolean;
  /** Whether it has `transform=false`. */
  readonly hasTransform: boolean;
  /** Whether `orderBy` may have two pairs. Its own default order always has two. */
  readonly takesTwoOrders: boolean;
  /** How it lists the transactions of one block. */
  readonly blockOrder: 'payload' | 'newest first';
  readonly amounts: 'number' | 'text';
  /** Whether the amount of a block that it shows by default includes its multi-payments. */
  readonly sumsPayments: boolean;
  /** The timestamp of a transaction that it shows by default; `by version`: the sender's of version 1, else the block's. */
  readonly timestamps: 'sender' | 'block' | 'by version';
  readonly showsSenderPublicKey: boolean;
  /** Whether transactions have type groups and nonces. */
  readonly hasTypeGroups: boolean;
  /** Whether it shows the sender as the recipient of a transaction that has none. */
  readonly fillsInRecipient: boolean;
  /** Whether a raw transaction has `blockId`, `blockHeight` and `sequence`. */
  readonly rawNamesBlock: boolean;
  readonly tellsEstimates: boolean;
  /** Whether it destroys each connection after its answer, whatever the answer says. */
  readonly destroysConnections: boolean;
}

const two: NodeLine = {
  root: 'versioned',
  refusal: 400,
  version: null,
  hasCrypto: true,
  hasSearches: true,
  hasTransform: false,
  takesTwoOrders: true,
  blockOrder: 'payload',
  amounts: 'number',
  sumsPayments: false,
  timestamps: 'sender',
  showsSenderPublicKey: true,
  hasTypeGroups: false,
  fillsInRecipient: false,
  rawNamesBlock: false,
  tellsEstimates: false,
  destroysConnections: false,
};

const beforeFour: NodeLine = { ...two, hasCrypto: false, showsSenderPublicKey: false };

const five: NodeLine = {
  ...two,
  root: 'both',
  refusal: 422,
  hasTransform: true,
  amounts: 'text',
  fillsInRecipient: true,
};

const three: NodeLine = {
  ...five,
  root: 'plain',
  hasSearches: false,
  blockOrder: 'newest first',
  sumsPayments: true,
  timestamps: 'block',
  hasTypeGroups: true,
  rawNamesBlock: true,
  tellsEstimates: true,
  destroysConnections: true,
};

/** By the first and the last version of the line. The expiration of a transaction is shown by none, except raw. */
export const NODE_LINES = {
  '2.0.0-2.0.16': beforeFour,
  '2.0.17-2.3.21': { ...beforeFour, timestamps: 'block' },
  '2.3.22-2.3.23': beforeFour,
  '2.4': two,
  '2.5': five,
  '2.6-2.7': {
    ...five,
    version: '2.7.26',
    timestamps: 'by version',
    hasTypeGroups: true,
    tellsEstimates: true,
  },
  '3.0.0-3.0.5': { ...three, version: '3.0.5', takesTwoOrders: false },
  '3.0.6-3.9': { ...three, version: '3.9.1' },
} as const satisfies Readonly<Record<string, NodeLine>>;

export type NodeLineName = keyof typeof NODE_LINES;
