import { sha256, TransactionType, type Transaction } from '@roundhouse/chain';
import type { LieScene } from './lie.js';

export const LOCK_SECRET = sha256('a secret that everybody knows').toString('hex');

interface End {
  /** Of a claim or a refund. */
  readonly type: number;
  readonly unlockSecret?: string;
  readonly fee?: bigint;
}

/** A lock that this block opens, and what ends it there, each in turn. */
export const endsLock = (scene: LieScene, ...ends: readonly End[]): Transaction[] => {
  const expiration = { type: 2, value: scene.height + 1_000 };
  const lock = { secretHash: sha256(Buffer.from(LOCK_SECRET, 'hex')).toString('hex'), expiration };
  const opened = scene.send({ type: TransactionType.HtlcLock, asset: { lock } });
  const ended = ends.map(({ type, fee = 0n, ...secret }) =>
    scene.act(type, { lockTransactionId: opened.id, ...secret }, { fee }),
  );
  return [opened, ...ended];
};
