import { storedBytes } from '@roundhouse/blocks';
import { sha256, TransactionType } from '@roundhouse/chain';
import type { Change } from './lie.js';
import { endsLock, LOCK_SECRET } from './lock.js';
import { membersOf, registration } from './oddities.js';

const { DelegateRegistration, DelegateResignation, HtlcClaim } = TransactionType;

/** Lies that every node refuses, and that no setting accepts. */
export const FIXED_LIES = {
  /** Only the signatures show it. */
  unsigned: {
    transactions: (scene) => {
      const sent = { ...scene.send(), signature: '00'.repeat(64) };
      const bytes = storedBytes(sent, scene.state.network.pubKeyHash);
      return [{ ...sent, id: sha256(bytes).toString('hex') }];
    },
  },
  /** Only the signatures show it. */
  'members-disagree': { transactions: (scene) => [registration(scene, membersOf(scene, 3), 2, 1)] },
  'registers-again': {
    transactions: (scene) =>
      ['first', 'second'].map((username) => scene.act(DelegateRegistration, { username })),
  },
  'username-taken': {
    transactions: (scene) => {
      const { username } = scene.state.eligibleDelegates[0]!;
      return [scene.act(DelegateRegistration, { username })];
    },
  },
  'resigns-nobody': { transactions: (scene) => [scene.act(DelegateResignation, null)] },
  'claims-again': {
    transactions: (scene) => {
      const claim = { type: HtlcClaim, unlockSecret: LOCK_SECRET };
      return endsLock(scene, claim, claim);
    },
  },
} as const satisfies Readonly<Record<string, Change>>;
