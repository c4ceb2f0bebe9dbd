import { MAGISTRATE_TYPE_GROUP } from '@roundhouse/chain';
import { ENTITY_TYPE, FOREIGN_TYPE, FOREIGN_TYPE_GROUP } from '../../transactions/transaction-types.js';
import { feeOf, pickSender, type Act } from '../scene.js';
import { contentId } from './ipfs.js';

const ENTITY_FEE = 5_000_000_000n;
const TOKEN = 100_000_000n;

/** Type group 2: an account registers a business. */
export const registerEntity: Act = (scene) => {
  const { height } = scene;
  const sender = pickSender(scene, 2n * ENTITY_FEE);
  if (!sender) return null;
  const name = `entity ${height}`;
  return {
    sender: sender.address,
    typeGroup: MAGISTRATE_TYPE_GROUP,
    type: ENTITY_TYPE,
    fee: ENTITY_FEE,
    asset: { other: { type: 0, subType: 0, action: 0, data: { name, ipfsData: contentId(name) } } },
  };
};

/** A type group that no program knows, with an amount and a recipient. Only its fee is paid. */
export const foreignTransfer: Act = (scene) => {
  const { random, ring } = scene;
  const sender = pickSender(scene, 200n * TOKEN);
  if (!sender) return null;
  return {
    sender: sender.address,
    typeGroup: FOREIGN_TYPE_GROUP,
    type: FOREIGN_TYPE,
    fee: feeOf('transfer'),
    amount: random.amount(1n, 100n * TOKEN),
    recipientId: random.pick(ring.accounts).address,
  };
};
