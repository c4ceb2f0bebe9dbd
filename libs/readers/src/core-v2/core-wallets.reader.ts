import type { BlockRef } from '@roundhouse/chain';
import { ATTRIBUTES, ATTRIBUTES_OF_SEVERAL, hexText, LOOK_DELEGATE } from '@roundhouse/entities/sql';
import { found, selectAtHead } from '../at-head.js';
import { FREE_ATTRIBUTES } from './attributes-sql.js';
import { assertDetails, HAS_DETAILS } from './details.js';
import { memoryField, presentField } from './memory-criteria.js';
import { MemoryListReader, OF_ONE } from './memory-list.js';

export interface CoreWalletRow {
  /** The address. */
  readonly id: string;
  readonly publicKey: string | null;
  /** Arktoshi. */
  readonly balance: bigint;
  readonly nonce: number;
  /** JSON. */
  readonly attributes: string;
}

const walletWith = (attributes: string): string =>
  `a.address AS id, ${hexText('a.public_key')} AS "publicKey", a.balance, a.nonce, (${attributes})::text AS attributes`;

/** SQL of an address. $3: it, a public key or a username; $4: the address of the public key. */
const NAMED = `coalesce(
  (SELECT address FROM accounts WHERE address = $3),
  (SELECT address FROM accounts WHERE address = $4 AND public_key IS NOT NULL),
  (SELECT address FROM delegates WHERE username = $3))`;

/** $1, $2: the head; $3, $4: those of `NAMED`. */
const SELECT_WALLET = selectAtHead(
  'core-wallet',
  `${HAS_DETAILS}, found.*`,
  `LEFT JOIN LATERAL (SELECT ${walletWith(ATTRIBUTES)} FROM accounts a ${LOOK_DELEGATE} WHERE a.address = ${NAMED}) found ON true`,
);

/** The same parameters. */
const SELECT_IDENTITY = selectAtHead(
  'core-wallet-identity',
  `found.address AS id, ${hexText('found.public_key')} AS "publicKey", d.public_key IS NOT NULL AS "isDelegate"`,
  `LEFT JOIN accounts found ON found.address = ${NAMED} LEFT JOIN delegates d ON d.address = found.address`,
);

export interface WalletIdentity {
  /** The address. */
  readonly id: string;
  readonly publicKey: string | null;
  readonly isDelegate: boolean;
}

/** Without NUL, which PostgreSQL refuses and no name has. */
const nameOf = (text: string): string => (text.includes('\0') ? '' : text);

/** Wallets as nodes of 3.x list them. */
export class CoreWalletsReader extends MemoryListReader<CoreWalletRow> {
  protected readonly table = {
    shape: {
      fields: {
        address: presentField('text', 'a.address'),
        publicKey: memoryField('text', hexText('a.public_key')),
        balance: presentField('amount', 'a.balance'),
        nonce: presentField('amount', 'a.nonce'),
      },
      free: { attributes: FREE_ATTRIBUTES },
    },
    // What the index of balances has: rows that are skipped are not looked up.
    from: 'accounts a',
    keys: 'a.balance, a.number',
    columns: walletWith(ATTRIBUTES_OF_SEVERAL),
    inMemory: 'a.number',
    fromEnd: 'a.number DESC',
    // Those who vote for a delegate, by its public key.
    whereOne: `a.vote = decode(${OF_ONE}, 'hex')`,
    needsDetails: true,
    look: `CROSS JOIN LATERAL (
    SELECT * FROM accounts one WHERE one.balance = p.balance AND one.number = p.number OFFSET 0) a ${LOOK_DELEGATE}`,
  };

  /** @param addressOfKey the address of `id` if that is a public key */
  async findWallet(at: BlockRef, id: string, addressOfKey: string | null) {
    const rows = await this.rows<CoreWalletRow>(at, SELECT_WALLET, nameOf(id), addressOfKey);
    return found(assertDetails(rows), 'id')[0];
  }

  /** The same without its attributes. */
  async findIdentity(at: BlockRef, id: string, addressOfKey: string | null) {
    return found(await this.rows<WalletIdentity>(at, SELECT_IDENTITY, nameOf(id), addressOfKey), 'id')[0];
  }
}
