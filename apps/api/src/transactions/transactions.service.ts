import { Injectable } from '@nestjs/common';
import { addressOf, CORE_TYPE_GROUP, type BlockRef } from '@roundhouse/chain';
import {
  isPublicKey,
  writeTransactionCursor,
  type BlockChoice,
  type TransactionResponseDto,
  type TransactionsQueryDto,
  type TransactionsResponseDto,
} from '@roundhouse/dto';
import { BlocksReader, TransactionsReader, type TransactionsPage } from '@roundhouse/readers';
import { NotFoundError } from '../answers/not-found.error.js';
import type { ChainView } from '../chain/chain-view.js';
import { assertKeepsCursor, assertReachesCursor } from '../answers/assert-cursor.js';
import { transactionContents } from './transaction-content.js';

const LARGEST_INTEGER = 2 ** 31 - 1;

/** No column holds a larger number, so none is equal to one either. */
const bounded = (value: number | undefined): number | undefined => value && Math.min(value, LARGEST_INTEGER);

@Injectable()
export class TransactionsService {
  constructor(
    private readonly transactions: TransactionsReader,
    private readonly blocks: BlocksReader,
  ) {}

  async getTransaction(chain: ChainView, id: string): Promise<TransactionResponseDto> {
    const isId = /^[0-9a-f]{64}$/i.test(id);
    const found = isId ? await this.transactions.findTransaction(chain.head, id.toLowerCase()) : null;
    if (!found) throw new NotFoundError('There is no transaction with this id.');
    return { transaction: transactionContents(chain, [found])[0]!, success: true };
  }

  /** Pages hold what is below their cursor, which new blocks do not change. Throws as `assertReachesCursor` and `assertKeepsCursor` do. */
  async listTransactions(chain: ChainView, query: TransactionsQueryDto): Promise<TransactionsResponseDto> {
    const { head } = chain;
    const { cursor, limit, minAmount, maxAmount } = query;
    if (cursor) assertReachesCursor(head, cursor);
    const inBlock = query.block && (await this.heightOf(head, query.block));
    const minHeight = Math.max(bounded(query.minHeight) ?? 0, inBlock ?? 0);
    const maxHeight = Math.min(query.maxHeight ?? head.height, inBlock ?? head.height);
    const isBelowCursor = cursor !== undefined && cursor.height <= maxHeight;
    const page: TransactionsPage = {
      below: isBelowCursor ? cursor : { height: maxHeight, sequence: LARGEST_INTEGER },
      minHeight,
      limit,
      address: addressFor(chain, query.address),
      sender: addressFor(chain, query.sender),
      recipient: addressFor(chain, query.recipient),
      type: bounded(query.type),
      typeGroup: bounded(query.typeGroup) ?? (query.type === undefined ? undefined : CORE_TYPE_GROUP),
      minAmount,
      maxAmount,
    };
    const { rows, next, blockIdBelow } = await this.transactions.listTransactions(head, page);
    if (isBelowCursor) assertKeepsCursor(cursor, blockIdBelow);
    return {
      transactions: transactionContents(chain, rows),
      nextCursor: next && writeTransactionCursor(next),
      success: true,
    };
  }

  /** 0, which no block has, if there is no such block. */
  private async heightOf(head: BlockRef, block: BlockChoice): Promise<number> {
    return 'height' in block ? block.height : ((await this.blocks.findHeight(head, block.id)) ?? 0);
  }
}

const addressFor = ({ network }: ChainView, account: string | undefined): string | undefined =>
  account !== undefined && isPublicKey(account) ? addressOf(account, network.pubKeyHash) : account;
