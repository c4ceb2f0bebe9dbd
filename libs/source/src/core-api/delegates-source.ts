import {
  amountOf,
  countOf,
  objectOf,
  publicKeyOf,
  textOf,
  type BlockRef,
  type DelegateFigures,
} from '@roundhouse/chain';

export interface NodeVoter {
  readonly address: string;
  /** Spendable. */
  readonly balance: bigint;
}

/** What a node has computed from its blocks, for comparison with an index. */
export interface DelegatesSource {
  readonly name: string;
  tip(): Promise<BlockRef>;
  /** All delegates. They belong to one head only if the tip is the same before and after. */
  delegates(): Promise<DelegateFigures[]>;
  voters(publicKey: string): Promise<NodeVoter[]>;
  close(): Promise<void>;
}

/** Line 2.x returns amounts as numbers, 3.x as text. */
export const decodeDelegate = (value: unknown): DelegateFigures => {
  const delegate = objectOf(value);
  const forged = objectOf(delegate['forged'], 'forged');
  return {
    username: textOf(delegate, 'username'),
    publicKey: publicKeyOf(delegate, 'publicKey'),
    weight: amountOf(delegate, 'votes'),
    producedBlocks: countOf(objectOf(delegate['blocks'], 'blocks'), 'produced'),
    forgedFees: amountOf(forged, 'fees'),
    forgedRewards: amountOf(forged, 'rewards'),
  };
};

export const decodeVoter = (value: unknown): NodeVoter => {
  const wallet = objectOf(value);
  return { address: textOf(wallet, 'address'), balance: amountOf(wallet, 'balance') };
};
