import { addressOf } from '@roundhouse/chain';

/** A transaction as an archive's line has it: its JSON, read by `JSON.parse` alone. */
interface PlainTransaction {
  readonly id: string;
  readonly type: number;
  readonly typeGroup?: number;
  readonly senderPublicKey: string;
  readonly fee: string;
  readonly amount: string;
  readonly recipientId?: string;
  readonly asset?: {
    readonly votes?: readonly string[];
    readonly payments?: readonly { readonly recipientId: string; readonly amount: string }[];
    readonly claim?: { readonly lockTransactionId: string };
    readonly refund?: { readonly lockTransactionId: string };
  };
}

interface PlainBlock {
  readonly height: number;
  readonly generatorPublicKey: string;
  readonly reward: string;
  readonly totalFee: string;
  readonly transactions: readonly PlainTransaction[];
}

/** A forged block, with the voters of its forger before it. */
export interface ForgedBlock {
  readonly height: number;
  readonly forger: string;
  readonly reward: bigint;
  readonly fees: bigint;
  /** Balance and locked amount together, by address, of all accounts that voted for the forger. */
  readonly weights: ReadonlyMap<string, bigint>;
}

const PUBLIC_KEY_HASH = 23;

/**
 * The balances and votes of a chain, recomputed as plainly as docs/protocol.md states the rules, without any code of the
 * index. Understands the type numbers of Core 2.6 and later.
 */
class PlainChain {
  private readonly balances = new Map<string, bigint>();
  private readonly locked = new Map<string, bigint>();
  private readonly votes = new Map<string, string>();
  private readonly locks = new Map<string, { sender: string; recipient: string; amount: bigint }>();

  /** The block with the weights before it; then its transactions are applied. */
  take(line: string): ForgedBlock {
    const block = JSON.parse(line) as PlainBlock;
    const forger = block.generatorPublicKey;
    const [reward, fees] = [BigInt(block.reward), BigInt(block.totalFee)];
    const forged = { height: block.height, forger, reward, fees, weights: this.weightsOf(forger) };
    for (const transaction of block.transactions) this.apply(transaction);
    this.pay(addressOf(forger, PUBLIC_KEY_HASH), reward + fees);
    return forged;
  }

  private weightsOf(delegate: string): Map<string, bigint> {
    const voters = [...this.votes].filter(([, vote]) => vote === delegate);
    return new Map(
      voters.map(([address]) => [
        address,
        (this.balances.get(address) ?? 0n) + (this.locked.get(address) ?? 0n),
      ]),
    );
  }

  private pay(address: string, amount: bigint): void {
    this.balances.set(address, (this.balances.get(address) ?? 0n) + amount);
  }

  private lock(address: string, amount: bigint): void {
    this.locked.set(address, (this.locked.get(address) ?? 0n) + amount);
  }

  private apply({ id, type, typeGroup, asset, recipientId, ...transaction }: PlainTransaction): void {
    const sender = addressOf(transaction.senderPublicKey, PUBLIC_KEY_HASH);
    const amount = BigInt(transaction.amount);
    this.pay(sender, -BigInt(transaction.fee));
    // Types of other groups move no amount.
    if ((typeGroup ?? 1) !== 1) return;
    if (type === 0) {
      this.pay(sender, -amount);
      this.pay(recipientId!, amount);
    } else if (type === 3) {
      for (const vote of asset!.votes!) {
        if (vote.startsWith('+')) this.votes.set(sender, vote.slice(1));
        else this.votes.delete(sender);
      }
    } else if (type === 6) {
      for (const payment of asset!.payments!) {
        this.pay(sender, -BigInt(payment.amount));
        this.pay(payment.recipientId, BigInt(payment.amount));
      }
    } else if (type === 8) {
      this.pay(sender, -amount);
      this.lock(sender, amount);
      this.locks.set(id, { sender, recipient: recipientId!, amount });
    } else if (type === 9) {
      const lock = this.locks.get(asset!.claim!.lockTransactionId)!;
      this.lock(lock.sender, -lock.amount);
      this.pay(lock.recipient, lock.amount);
    } else if (type === 10) {
      const lock = this.locks.get(asset!.refund!.lockTransactionId)!;
      this.lock(lock.sender, -lock.amount);
      this.pay(lock.sender, lock.amount);
    }
  }
}

/** Every block of an archive, with the voters of its forger before it. */
export const forgedBlocks = (lines: readonly string[]): ForgedBlock[] => {
  const chain = new PlainChain();
  return lines.map((line) => chain.take(line));
};
