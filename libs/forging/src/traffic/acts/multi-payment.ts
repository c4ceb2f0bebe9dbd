import { TransactionType } from '@roundhouse/chain';
import { feeOf, pickSender, shareOf, type Act } from '../scene.js';

const TOKEN = 100_000_000n;
const MOST_OTHERS = 8;

/** Pays several accounts; the first of them and the sender itself are paid twice. */
export const multiPayment: Act = (scene) => {
  const { random, ring } = scene;
  const sender = pickSender(scene, 1_000n * TOKEN);
  if (!sender) return null;
  const others = Array.from(
    { length: random.between(1, MOST_OTHERS) },
    () => random.pick(ring.accounts).address,
  );
  const recipients = [...others, sender.address, others[0]!, sender.address];
  const most = shareOf(scene, sender.address, 50n) / BigInt(recipients.length);
  const payments = recipients.map((recipientId) => ({
    amount: random.amount(1n, most),
    recipientId,
  }));
  return {
    sender: sender.address,
    type: TransactionType.MultiPayment,
    fee: feeOf('multiPayment'),
    asset: { payments },
  };
};
