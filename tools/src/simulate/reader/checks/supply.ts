import { whole, type Inspection } from '../inspection.js';

/** Checks that the supply is the genesis amount (`genesis`, in arktoshi) plus the rewards of all blocks. */
const checkSupply = (seen: Inspection, genesis: bigint): void => {
  const supply = whole(seen.body['supply']);
  seen.claimOfHead(
    `supply is ${supply}, which is right`,
    (tree, headId) => supply === genesis + tree.rewardsUpTo(headId),
  );
};

export const checkGetSupply =
  (genesis: bigint) =>
  (seen: Inspection): void =>
    checkSupply(seen, genesis);

export const checkStatus =
  (genesis: bigint) =>
  (seen: Inspection): void => {
    seen.equal('height', seen.body['height'], seen.headHeight);
    checkSupply(seen, genesis);
  };
