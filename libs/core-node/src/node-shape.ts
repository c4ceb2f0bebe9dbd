import { addressOf } from '@roundhouse/chain';
import { exactJson } from './exact-json.js';
import type { NodeLine } from './node-lines.js';
import type { NodeBlock, NodeTransaction } from './node-chain.js';

/** What a node says of its chain in `node/configuration/crypto`, and what its answers depend on. */
export interface NodeConfiguration extends Readonly<Record<string, unknown>> {
  readonly network: {
    readonly name: string;
    readonly nethash: string;
    readonly pubKeyHash: number;
    readonly client: { readonly token: string; readonly symbol: string; readonly explorer: string };
  };
  readonly milestones: readonly (Readonly<Record<string, unknown>> & { readonly epoch?: string })[];
}

/** The fields of an archive line that matter here. */
export interface ArchiveBlock extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly height: number;
  readonly timestamp: number;
  readonly generatorPublicKey: string;
  readonly transactions: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[];
}

type Raw = ArchiveBlock['transactions'][number];

interface PaymentsAsset {
  readonly payments?: readonly { readonly amount: string }[];
}

const CORE_TYPE_GROUP = 1;

const optional = (key: string, value: unknown): Record<string, unknown> =>
  value === undefined || value === null ? {} : { [key]: value };

/** A vendor field as text. Core 2.4 and 2.5 only have it so in version 1: of others they read the bytes alone. */
const vendorTextOf = ({ vendorField, vendorFieldHex, version }: Raw, line: NodeLine): unknown => {
  if (!line.hasTypeGroups && version !== 1) return undefined;
  return vendorField ?? (vendorFieldHex && Buffer.from(vendorFieldHex as string, 'hex').toString());
};

/** A time as a node shows it: in seconds since the chain's epoch, since 1970, and for people. */
export const shownTimestamp = (epochMs: number, epoch: number): object => {
  const ms = epochMs + epoch * 1000;
  return { epoch, unix: ms / 1000, human: new Date(ms).toISOString() };
};

/** Writes archived blocks as the public API of a line shows them. */
export class NodeShape {
  private readonly epochMs: number;
  private readonly addresses = new Map<string, string>();
  private readonly pubKeyHash: number;

  /** @param usernameOf the delegate's name by its public key; undefined if it never registered */
  constructor(
    private readonly line: NodeLine,
    { network, milestones }: Pick<NodeConfiguration, 'network' | 'milestones'>,
    private readonly usernameOf: (publicKey: string) => string | undefined,
  ) {
    this.epochMs = Date.parse(milestones.find(({ epoch }) => epoch !== undefined)!.epoch!);
    this.pubKeyHash = network.pubKeyHash;
  }

  /** Each text is written when it is read: most are never shown. */
  show(block: ArchiveBlock): NodeBlock {
    const { id, height, timestamp, generatorPublicKey } = block;
    const plain = (): string => this.block(block);
    const raw = (): string | null => this.rawBlock(block);
    const transactions = (): NodeTransaction[] =>
      block.transactions.map((each, sequence) => this.showTransaction(each, sequence, block));
    return {
      id,
      height,
      timestamp,
      generatorPublicKey,
      get transactions() {
        return transactions();
      },
      get plain() {
        return plain();
      },
      get raw() {
        return raw();
      },
    };
  }

  private showTransaction(transaction: Raw, sequence: number, block: ArchiveBlock): NodeTransaction {
    const plain = (): string => this.transaction(transaction, block);
    const raw = (): string | null => this.rawTransaction(transaction, block, sequence);
    return {
      id: transaction.id,
      sequence,
      get plain() {
        return plain();
      },
      get inBlock() {
        return plain();
      },
      get raw() {
        return raw();
      },
    };
  }

  private block(block: ArchiveBlock): string {
    const publicKey = block.generatorPublicKey;
    const [reward, fee] = [BigInt(block['reward'] as string), BigInt(block['totalFee'] as string)];
    return exactJson({
      id: block.id,
      version: block['version'],
      height: block.height,
      previous: block['previousBlock'] ?? '0',
      forged: {
        reward: this.amount(reward),
        fee: this.amount(fee),
        total: this.amount(reward + fee),
        amount: this.amount(BigInt(block['totalAmount'] as string) + this.paymentsIn(block)),
      },
      payload: { hash: block['payloadHash'], length: block['payloadLength'] },
      generator: {
        ...optional('username', this.usernameOf(publicKey)),
        address: this.addressOf(publicKey),
        publicKey,
      },
      signature: block['blockSignature'],
      confirmations: 0,
      transactions: block['numberOfTransactions'],
      timestamp: shownTimestamp(this.epochMs, block.timestamp),
    });
  }

  /** By default, in or for this block. */
  transaction(raw: Raw, block: Pick<ArchiveBlock, 'id' | 'timestamp'>): string {
    const { line } = this;
    const senderPublicKey = raw['senderPublicKey'] as string;
    const sender = this.addressOf(senderPublicKey);
    const isSenders =
      line.timestamps === 'sender' || (line.timestamps === 'by version' && raw['version'] === 1);
    return exactJson({
      id: raw.id,
      blockId: block.id,
      version: raw['version'],
      type: raw['type'],
      ...(line.hasTypeGroups ? { typeGroup: raw['typeGroup'] ?? CORE_TYPE_GROUP } : {}),
      amount: this.amount(raw['amount']),
      fee: this.amount(raw['fee']),
      sender,
      ...(line.showsSenderPublicKey ? { senderPublicKey } : {}),
      ...optional('recipient', raw['recipientId'] ?? (line.fillsInRecipient ? sender : undefined)),
      ...optional('signature', raw['signature']),
      ...optional('signSignature', raw['secondSignature'] ?? raw['signSignature']),
      ...optional('signatures', raw['signatures']),
      ...optional('vendorField', vendorTextOf(raw, line)),
      ...optional('asset', raw['asset']),
      confirmations: 0,
      timestamp: shownTimestamp(this.epochMs, isSenders ? (raw['timestamp'] as number) : block.timestamp),
      // Core counts the transactions of version 1 as well; nobody signed such a nonce.
      ...(line.hasTypeGroups ? { nonce: raw['nonce'] ?? '1' } : {}),
    });
  }

  private paymentsIn({ transactions }: ArchiveBlock): bigint {
    if (!this.line.sumsPayments) return 0n;
    return transactions
      .flatMap(({ asset }) => (asset as PaymentsAsset | undefined)?.payments ?? [])
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  }

  private rawBlock({ transactions: _, ...header }: ArchiveBlock): string | null {
    return this.line.hasTransform ? exactJson(header) : null;
  }

  private rawTransaction(raw: Raw, { id, height }: ArchiveBlock, sequence: number): string | null {
    if (!this.line.hasTransform) return null;
    const { blockId: _, blockHeight: __, sequence: ___, ...own } = raw;
    if (this.line.rawNamesBlock) return exactJson({ ...own, blockId: id, blockHeight: height, sequence });
    const { typeGroup, nonce, timestamp, vendorField, vendorFieldHex, ...rest } = own;
    const shown = { ...rest, ...optional('vendorField', vendorTextOf(raw, this.line)) };
    if (!this.line.hasTypeGroups) {
      const hex = vendorFieldHex ?? (vendorField && Buffer.from(vendorField as string).toString('hex'));
      return exactJson({ ...shown, timestamp, ...optional('vendorFieldHex', hex) });
    }
    // Core 2.6 and 2.7 hide the usual type group, and what the version does not sign.
    return exactJson({
      ...shown,
      ...(typeGroup === CORE_TYPE_GROUP ? {} : optional('typeGroup', typeGroup)),
      ...(raw['version'] === 1 ? { timestamp } : { nonce }),
    });
  }

  private addressOf(publicKey: string): string {
    let address = this.addresses.get(publicKey);
    if (address === undefined)
      this.addresses.set(publicKey, (address = addressOf(publicKey, this.pubKeyHash)));
    return address;
  }

  private amount(value: unknown): bigint | string {
    return this.line.amounts === 'text' ? String(value) : BigInt(value as string);
  }
}

/** Names delegates by the registrations in `blocks`. */
export const usernamesIn = (blocks: readonly ArchiveBlock[]): ((publicKey: string) => string | undefined) => {
  const usernames = new Map<unknown, string>();
  for (const { senderPublicKey, asset } of blocks.flatMap(({ transactions }) => transactions)) {
    const { delegate } = (asset ?? {}) as { readonly delegate?: { readonly username: string } };
    if (delegate !== undefined) usernames.set(senderPublicKey, delegate.username);
  }
  return (publicKey) => usernames.get(publicKey);
};
