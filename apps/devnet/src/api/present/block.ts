import type { DevnetChain } from '../../chain/devnet-chain.js';
import type { RawBlock } from '../../chain/raw-block.js';
import { presentTimestamp } from './timestamp.js';

/** The form of `transform=false`. */
export const presentRawBlock = ({ transactions: _, ...header }: RawBlock): object => header;

/** Core's default form of a block. */
export const presentBlock = (block: RawBlock, { state, timing }: DevnetChain): object => {
  const publicKey = block.generatorPublicKey;
  const username = state.ledger.delegates.get(publicKey)?.username;
  return {
    id: block.id,
    version: block.version,
    height: block.height,
    previous: block.previousBlock,
    forged: {
      reward: block.reward,
      fee: block.totalFee,
      amount: block.totalAmount,
      total: (BigInt(block.reward) + BigInt(block.totalFee)).toString(),
    },
    payload: { hash: block.payloadHash, length: block.payloadLength },
    generator: {
      ...(username === undefined ? {} : { username }),
      address: state.addressOf(publicKey),
      publicKey,
    },
    signature: block.blockSignature,
    confirmations: state.height - block.height,
    transactions: block.numberOfTransactions,
    timestamp: presentTimestamp(timing.epoch, block.timestamp),
  };
};
