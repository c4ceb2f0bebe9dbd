import { TransactionType } from '@roundhouse/chain';
import { feeOf, isWithoutMembers, pickSender, type Act } from '../scene.js';

export const secondSignature: Act = (scene) => {
  const { state, ring } = scene;
  const fee = feeOf('secondSignature');
  const sender = pickSender(
    scene,
    4n * fee,
    (account) =>
      state.accountOf(account.address).secondPublicKey === null && isWithoutMembers(scene, account),
  );
  if (!sender) return null;
  const { publicKey } = ring.secondKeyOf(sender.address);
  return {
    sender: sender.address,
    type: TransactionType.SecondSignature,
    fee,
    asset: { secondPublicKey: publicKey },
  };
};
