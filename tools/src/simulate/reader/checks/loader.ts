import type { Inspection } from '../inspection.js';

export const checkLoaderStatus = (seen: Inspection): void => {
  const { loaded, now, blocksCount } = seen.body;
  seen.equal('now', now, seen.headHeight);
  // Only `true` is checked: `loaded` is also false while nothing is heard from the node, or if the database's clock has
  // just been set forward.
  seen.equal('loaded', loaded, loaded === true && Number(blocksCount) <= 1);
};

export const checkSync = (seen: Inspection): void => {
  const { height, id } = seen.body;
  seen.equal('height', height, seen.headHeight);
  seen.claimBlock(height, id);
};
