import {
  multiSignatureKeyOf,
  TransactionType,
  type MultiSignature,
  type Transaction,
} from '@roundhouse/chain';
import type { KeyPair } from '../keys/key-pair.js';
import {
  transactionHash,
  UNSIGNED,
  type Signatures,
  type UnsignedTransaction,
} from '../transactions/serialise.js';
import { signTransaction, type Member } from '../transactions/sign.js';
import type { Change, LieScene } from './lie.js';

const { MultiSignature: Registration, SecondSignature } = TransactionType;

/** Of the right form, but by nobody. */
const BY_NOBODY = 'ab'.repeat(64);

const withSignatures = (unsigned: UnsignedTransaction, signatures: Signatures): Transaction => ({
  ...unsigned,
  ...signatures,
  id: transactionHash(unsigned, signatures).toString('hex'),
});

export const membersOf = ({ ring }: LieScene, count: number): Member[] =>
  Array.from({ length: count }, (_, index) => ({ index, keys: ring.derive('member', index) }));

const assetOf = (members: readonly Member[], min: number): { multiSignature: MultiSignature } => ({
  multiSignature: { min, publicKeys: members.map(({ keys }) => keys.publicKey) },
});

/** The registration of members by the sender, if only so many of them sign it; it has a signature of each. */
export const registration = (scene: LieScene, members: readonly Member[], min: number, signing: number) => {
  const asset = assetOf(members, min);
  const unsigned = scene.unsigned({ type: Registration, asset, amount: 0n, recipientId: null });
  const credentials = { kind: 'single', keys: scene.sender, secondKeys: null } as const;
  const { signatures: all } = signTransaction(unsigned, credentials, members, scene.signing);
  const signatures = all!.map((each, place) => (place < signing ? each : each.slice(0, 2) + BY_NOBODY));
  const given = { ...UNSIGNED, signatures };
  const signature = scene.signing.schnorr(transactionHash(unsigned, given), scene.sender.privateKey);
  return withSignatures(unsigned, { ...given, signature });
};

/** Two members get an account and some coins; then they do something with it. */
const byTwoMembers = (
  scene: LieScene,
  act: (account: Pick<KeyPair, 'address' | 'publicKey'>, members: readonly Member[]) => Transaction,
): Transaction[] => {
  const members = membersOf(scene, 2);
  const publicKey = multiSignatureKeyOf(assetOf(members, 2).multiSignature)!;
  const address = scene.state.addressOf(publicKey);
  const registered = registration(scene, members, 2, 2);
  const funded = scene.send({ amount: 1_000_000_000n, recipientId: address });
  return [registered, funded, act({ address, publicKey }, members)];
};

const signedBy = (
  { signing }: LieScene,
  unsigned: UnsignedTransaction,
  members: readonly Member[],
): Transaction => {
  const { senderPublicKey: publicKey } = unsigned;
  return signTransaction(unsigned, { kind: 'members', publicKey, members }, [], signing);
};

/** What no honest program sends, and every node forges. */
export const ODDITIES = {
  /** Nodes look at a second key only when it must sign. */
  'second-key-of-nobody': {
    transactions: (scene) => [scene.act(SecondSignature, { secondPublicKey: '07'.repeat(33) })],
  },
  /** As many must sign as of later transactions. */
  'few-members-register': {
    transactions: (scene) => [registration(scene, membersOf(scene, 3), 1, 1)],
  },
  'members-register-others': {
    transactions: (scene) =>
      byTwoMembers(scene, (account) => {
        const members = membersOf(scene, 3);
        const fields = { type: Registration, asset: assetOf(members, 2), amount: 0n, recipientId: null };
        return signedBy(scene, scene.unsigned(fields, account), members);
      }),
  },
  /** Beside those of the members, it counts for nothing. */
  'account-signs-beside-members': {
    transactions: (scene) =>
      byTwoMembers(scene, (account, members) => {
        const unsigned = scene.unsigned({}, account);
        const { signatures } = signedBy(scene, unsigned, members);
        return withSignatures(unsigned, { signature: BY_NOBODY, secondSignature: null, signatures });
      }),
  },
} as const satisfies Readonly<Record<string, Change>>;
