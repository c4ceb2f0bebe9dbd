import { resignDelegate } from './acts/delegate.js';
import { claim, claimByThirdParty, lock, refund } from './acts/htlc.js';
import { ipfs } from './acts/ipfs.js';
import { multiPayment } from './acts/multi-payment.js';
import {
  fundMultiSignature,
  multiSignatureTransfer,
  multiSignatureVote,
  registerLegacyMultiSignature,
  registerMultiSignature,
} from './acts/multi-signature.js';
import { foreignTransfer, registerEntity } from './acts/other-groups.js';
import { secondSignature } from './acts/second-signature.js';
import { emptyAccount, transfer } from './acts/transfer.js';
import { firstVote, repeatVote, switchVote, unvote } from './acts/vote.js';
import type { Act } from './scene.js';

/** Acts, and the weight with which each is drawn. */
export type Mix = readonly (readonly [Act, number])[];

/** As in a real network: most transactions are transfers. */
export const USUAL_MIX: Mix = [
  [transfer, 440],
  [emptyAccount, 5],
  [firstVote, 60],
  [unvote, 40],
  [switchVote, 80],
  [repeatVote, 8],
  [secondSignature, 10],
  [registerMultiSignature, 6],
  [fundMultiSignature, 12],
  [multiSignatureVote, 12],
  [multiSignatureTransfer, 20],
  [ipfs, 12],
  [multiPayment, 60],
  [resignDelegate, 3],
  [lock, 70],
  [claim, 30],
  [claimByThirdParty, 15],
  [refund, 40],
  [registerEntity, 10],
  [foreignTransfer, 10],
];

/** The rare acts occur much more often, and an old form too. */
export const DENSE_MIX: Mix = [
  ...USUAL_MIX.map(([act, weight]): Mix[number] => [act, Math.ceil(Math.sqrt(weight))]),
  [registerLegacyMultiSignature, 2],
  // More than are claimed, so that some stay open.
  [lock, 8],
];

/**
 * The acts of the first heights, regardless of the draw. Each kind of transaction occurs, after those that it depends on.
 * Multi-signature accounts are registered, then funded so that they can vote and send.
 */
export const OPENING: ReadonlyMap<number, readonly Act[]> = new Map([
  [6, [transfer, transfer, secondSignature]],
  [8, [secondSignature, multiPayment]],
  [10, [registerMultiSignature, registerMultiSignature]],
  [12, [fundMultiSignature, fundMultiSignature, fundMultiSignature]],
  [14, [multiSignatureVote, firstVote]],
  [16, [multiSignatureTransfer, unvote]],
  [18, [ipfs, switchVote]],
  [20, [registerEntity, repeatVote]],
  [22, [foreignTransfer, emptyAccount]],
  [24, [lock, lock, lock, lock, lock, lock]],
  [26, [claim, multiPayment]],
  [27, [claimByThirdParty, claimByThirdParty]],
  [40, [resignDelegate]],
  [55, [refund, refund]],
  [70, [resignDelegate, multiSignatureVote]],
]);
