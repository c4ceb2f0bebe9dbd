import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChainOptions } from '@roundhouse/forging';
import { makerOf, SMALL } from '@roundhouse/testing';
import type { DevnetSettings } from './chain/create-chain.js';
import { DevnetChain, type Clock } from './chain/devnet-chain.js';

/** A folder for one test; call `remove` at the end. */
export const makeFolder = (): { path: string; remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'roundhouse-devnet-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** An arbitrary time; tests advance it by hand. */
export const NOON = Date.parse('2026-03-01T12:00:00.000Z');

export const openChain = (
  folder: string,
  settings: Partial<DevnetSettings & ChainOptions> = {},
  clock: Clock = () => NOON,
): DevnetChain => {
  const { seed, accounts, ...others } = { ...SMALL, ...settings };
  const maker = makerOf({ ...SMALL, seed, accounts });
  return DevnetChain.open(maker, { blockTime: 2, history: 20, folder, seed, ...others }, clock);
};
