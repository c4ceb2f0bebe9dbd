import { TransactionType } from '@roundhouse/chain';
import { feeOf, pickSender, type Act } from '../scene.js';

export const secondSignature: Act = (scene) => {
  const { state, ring } = scene;
  const fee = feeOf('secondSignature');
  const sender = pickSender(
    scene,
    4n * fee,
    ({ address }) => state.accountOf(address).secondPublicKey === null,
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
