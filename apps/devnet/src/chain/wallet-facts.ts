import {
  CORE_TYPE_GROUP,
  multiSignatureKeyOf,
  TransactionType,
  type MultiSignature,
} from '@roundhouse/chain';
import type { LockExpiration, RawTransaction } from '../transactions/raw-transaction.js';

/** What a node knows about an account, in addition to its amounts and its vote. */
export interface WalletFacts {
  /** The nonce of the account's newest transaction. */
  nonce: bigint;
  secondPublicKey: string | null;
  multiSignature: MultiSignature | null;
}

/** What a node knows about an open lock, in addition to its amount and its accounts. */
export interface LockFacts {
  readonly senderPublicKey: string;
  readonly nonce: string;
  readonly secretHash: string;
  readonly expiration: LockExpiration;
  /** The timestamp of the lock's block, in seconds since the epoch. */
  readonly timestamp: number;
}

const unseen: Readonly<WalletFacts> = { nonce: 0n, secondPublicKey: null, multiSignature: null };

/** The facts about accounts and locks that the ledger does not need. They are computed only from the blocks. */
export class Wallets {
  readonly locks = new Map<string, LockFacts>();
  /** Address → public key of the multi-signature accounts, in order of registration. */
  readonly multiSignatures = new Map<string, string>();
  private readonly facts = new Map<string, WalletFacts>();

  constructor(private readonly addressOf: (publicKey: string) => string) {}

  of(address: string): Readonly<WalletFacts> {
    return this.facts.get(address) ?? unseen;
  }

  apply(transaction: RawTransaction, timestamp: number): void {
    const { senderPublicKey, nonce, typeGroup, type, asset, id } = transaction;
    const sender = this.open(this.addressOf(senderPublicKey));
    sender.nonce = BigInt(nonce);
    if (typeGroup !== CORE_TYPE_GROUP || asset === undefined) return;
    if (type === TransactionType.SecondSignature && asset.signature) {
      sender.secondPublicKey = asset.signature.publicKey;
    } else if (type === TransactionType.MultiSignature && asset.multiSignature) {
      // The ledger has refused members that have no key.
      const publicKey = multiSignatureKeyOf(asset.multiSignature)!;
      const address = this.addressOf(publicKey);
      this.open(address).multiSignature = asset.multiSignature;
      this.multiSignatures.set(address, publicKey);
    } else if (asset.lock) {
      this.locks.set(id, { senderPublicKey, nonce, timestamp, ...asset.lock });
    } else {
      const closed = asset.claim ?? asset.refund;
      if (closed) this.locks.delete(closed.lockTransactionId);
    }
  }

  private open(address: string): WalletFacts {
    let facts = this.facts.get(address);
    if (!facts) this.facts.set(address, (facts = { ...unseen }));
    return facts;
  }
}
