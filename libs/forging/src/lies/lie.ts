import type { Block, RuleName, Transaction } from '@roundhouse/chain';
import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import type { ChainState } from '../chain/chain-state.js';
import type { KeyPair } from '../keys/key-pair.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Signing } from '../keys/signing.js';
import { secretOf } from '../traffic/acts/htlc.js';
import type { UnsignedTransaction } from '../transactions/serialise.js';
import { signTransaction } from '../transactions/sign.js';

/** What differs in a block that one delegate signs. */
export interface Change {
  /** The block's transactions. (Default: those of the lawful block) */
  readonly transactions?: (scene: LieScene) => readonly Transaction[];
  /** What differs in its header. */
  readonly header?: (scene: LieScene) => Partial<Pick<Block, 'version' | 'timestamp' | 'payloadLength'>>;
}

/** What one delegate can sign although no node accepts it: a block that is right but for one rule. */
export interface Lie extends Change {
  readonly rule: RuleName;
}

/** The chain does not have what the lie needs. */
export class UntellableError extends Error {}

type Fields = Partial<UnsignedTransaction> & { readonly fee?: bigint };

const FEE = 100_000_000n;

/** The state below the block, and the keys to sign with. */
export class LieScene {
  /** An account without votes, members and a second key, that can pay. */
  readonly sender: KeyPair;
  private sent = 0n;

  constructor(
    readonly state: ChainState,
    readonly ring: KeyRing,
    readonly signing: Signing,
    /** The lawful block. */
    readonly block: Block,
  ) {
    this.sender = ring.accounts.find((account) => this.isPlain(account))!;
  }

  get height(): number {
    return this.state.height + 1;
  }

  /** A delegate that has not resigned. */
  get delegate(): string {
    return this.state.eligibleDelegates[0]!.publicKey;
  }

  /** The next transaction of the sender; of another key, its first one. */
  send(fields: Fields = {}, keys = this.sender, secondKeys: KeyPair | null = null): Transaction {
    const credentials = { kind: 'single', keys, secondKeys } as const;
    return signTransaction(this.unsigned(fields, keys), credentials, [], this.signing);
  }

  /** The same before it is signed. */
  unsigned(
    fields: Fields = {},
    keys: Pick<KeyPair, 'address' | 'publicKey'> = this.sender,
  ): UnsignedTransaction {
    const { nonce } = this.state.accountOf(keys.address);
    const before = keys === this.sender ? this.sent++ : 0n;
    return {
      version: 2,
      network: this.state.network.pubKeyHash,
      typeGroup: CORE_TYPE_GROUP,
      type: TransactionType.Transfer,
      timestamp: null,
      nonce: BigInt(nonce) + before + 1n,
      senderPublicKey: keys.publicKey,
      recipientId: this.ring.accounts[1]!.address,
      amount: 1n,
      fee: FEE,
      expiration: 0,
      vendorField: null,
      asset: null,
      ...fields,
    };
  }

  /** A transaction of another type than a transfer. */
  act(type: number, asset: Transaction['asset'], fields: Fields = {}, keys = this.sender): Transaction {
    return this.send({ type, asset, amount: 0n, recipientId: null, ...fields }, keys);
  }

  /** So many delegates resign that too few remain to forge. */
  resignations(): Transaction[] {
    const { activeDelegates, eligibleDelegates } = this.state;
    const resigned = eligibleDelegates.slice(0, eligibleDelegates.length - activeDelegates + 1);
    return resigned.map(({ publicKey, address }) => {
      const keys = this.ring.findByPublicKey(publicKey)!;
      const isSecond = this.state.accountOf(address).secondPublicKey !== null;
      const fields = { type: TransactionType.DelegateResignation, amount: 0n, recipientId: null };
      return this.send(fields, keys, isSecond ? this.ring.secondKeyOf(address) : null);
    });
  }

  /** The claim of a lock that has expired. Throws `UntellableError` if there is none. */
  lateClaim(): Transaction {
    const { state, ring } = this;
    const expired = [...state.locks].find(([, { expiration }]) => state.isExpired(expiration));
    if (expired === undefined) throw new UntellableError('No lock has expired yet: forge more blocks.');
    const [lockTransactionId, { senderPublicKey, nonce }] = expired;
    const unlockSecret = secretOf(ring.seed, senderPublicKey, nonce).toString('hex');
    return this.act(TransactionType.HtlcClaim, { lockTransactionId, unlockSecret }, { fee: 0n });
  }

  private isPlain({ address, publicKey }: KeyPair): boolean {
    const { balance, vote, multiSignature, secondPublicKey } = this.state.accountOf(address);
    const isFree = vote === null && multiSignature === null && secondPublicKey === null;
    return isFree && balance > 1_000n * FEE && !this.state.ledger.delegates.has(publicKey);
  }
}
