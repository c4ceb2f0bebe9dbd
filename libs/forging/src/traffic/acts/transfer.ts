import { TransactionType } from '@roundhouse/chain';
import { feeOf, pickSender, shareOf, type Act, type Scene } from '../scene.js';

const STRANGERS = 0.04;
const NOTES = 0.2;
const LEAST_FEE = 3_000_000n;

/** Mostly an account of the seed, sometimes a new address. */
const pickRecipient = ({ random, ring, height }: Scene): string =>
  random.chance(STRANGERS)
    ? ring.derive('stranger', height, random.below(1_000_000)).address
    : random.pick(ring.accounts).address;

export const transfer: Act = (scene) => {
  const { random, height } = scene;
  const fee = random.amount(LEAST_FEE, feeOf('transfer'));
  const sender = pickSender(scene, 100n * fee);
  if (!sender) return null;
  return {
    sender: sender.address,
    type: TransactionType.Transfer,
    fee,
    amount: random.amount(1n, shareOf(scene, sender.address, 20n)),
    recipientId: pickRecipient(scene),
    ...(random.chance(NOTES) ? { vendorField: `note ${height}: grüße` } : {}),
  };
};

/** The account sends its whole balance, so its vote, if any, has no weight. */
export const emptyAccount: Act = (scene) => {
  const { draft } = scene;
  const fee = feeOf('transfer');
  const sender = pickSender(
    scene,
    2n * fee,
    ({ address }) => scene.isDense || draft.spendableOf(address) < 10_000_000_000_000n,
  );
  if (!sender) return null;
  return {
    sender: sender.address,
    type: TransactionType.Transfer,
    fee,
    amount: draft.spendableOf(sender.address) - fee,
    recipientId: pickRecipient(scene),
  };
};
