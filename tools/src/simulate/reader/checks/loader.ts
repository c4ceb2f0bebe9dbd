import type { Inspection } from '../inspection.js';

export const checkLoaderStatus = (seen: Inspection): void => {
  const { loaded, now, blocksCount } = seen.body;
  seen.equal('now', now, seen.headHeight);
  seen.equal('loaded', loaded, Number(blocksCount) <= 1);
};

export const checkSync = (seen: Inspection): void => {
  const { height, id } = seen.body;
  seen.equal('height', height, seen.headHeight);
  seen.claimBlock(height, id);
};
