import { storedBytes } from '@roundhouse/blocks';
import { CORE_TYPE_GROUP, sha256, type Transaction } from '@roundhouse/chain';
import { FOREIGN_TYPE, FOREIGN_TYPE_GROUP, forgedPayloadOf } from '../transactions/transaction-types.js';
import type { Change } from './lie.js';

const ONE_TOKEN = 100_000_000n;

/** A transaction of this type that its sender has not signed, with all that the sender has as its amount. */
const invented = (
  kind: { readonly typeGroup: number; readonly type: number },
  idOf: (transaction: Transaction, network: number) => string = () => sha256('invented').toString('hex'),
): Change => ({
  transactions: (scene) => {
    const { sender, state } = scene;
    const { balance } = state.accountOf(sender.address);
    const lawful = scene.send({ amount: balance - ONE_TOKEN });
    const unsigned = { ...lawful, ...kind, signature: '00'.repeat(64) };
    return [{ ...unsigned, id: idOf(unsigned, state.network.pubKeyHash) }];
  },
});

/** Unknown types, which nothing proves if the source has no bytes of them: they are accepted, but move no amount. */
export const INVENTED_LIES = {
  'core-type': invented({ typeGroup: CORE_TYPE_GROUP, type: 11 }),
  'other-group': invented({ typeGroup: 7, type: 0 }),
  'unsigned-type': invented({ typeGroup: FOREIGN_TYPE_GROUP, type: FOREIGN_TYPE }, (transaction, network) =>
    sha256(storedBytes(transaction, network, forgedPayloadOf)).toString('hex'),
  ),
} as const satisfies Readonly<Record<string, Change>>;
