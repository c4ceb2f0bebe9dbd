import type { Draw } from './disturbance.js';

/** The greatest depth of a fork: across two or three ends of rounds of 51 blocks. */
const DEEPEST = 120;
/** At least this many blocks stay common. */
const ROOTS = 5;

const fork =
  (least: number, most: number, isShorter: boolean): Draw =>
  (random, { height }) => {
    const reach = Math.max(height - ROOTS, 1);
    const depth = Math.min(random.between(least, most), reach);
    const length = isShorter ? random.between(1, Math.max(depth - 1, 1)) : depth;
    const line = `fork ${depth} deep` + (length < depth ? `, the new branch ${length} long at first` : '');
    return { line, hold: 'node', run: ({ devnet }) => devnet.fork(depth, length) };
  };

export const shallowFork = fork(1, 8, false);
export const deepFork = fork(30, DEEPEST, false);
export const shorterFork = fork(3, DEEPEST, true);
