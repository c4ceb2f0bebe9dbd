import { describe, expect, it } from '@jest/globals';
import { BlocksQuery, readNodeQuery, TransactionsQuery, type NodeQuery } from '@roundhouse/dto/core-v1';
import { accountOrderOf, blocksPageOf, pageOf, transactionsPageOf } from './list-parameters.js';

const NETWORK = { pubKeyHash: 23, activeDelegates: 51 };

const read = <T extends object>(type: NodeQuery<T>, query: string): T => {
  const entries = [...new URLSearchParams(query)].map(([name, value]) => [name, [value]] as const);
  return readNodeQuery(type, new Map(entries), NETWORK);
};

const transactions = (query: string) => read(TransactionsQuery, query);
const blocks = (query: string) => read(BlocksQuery, query);

describe('the parameters of a list', () => {
  it('are filters under both names of a column, as the text of what the node read', () => {
    expect(
      transactionsPageOf(transactions('blockId=007&type=0x1&fee=&vendor_field_hex=6869&ownerAddress=A'))
        .conditions,
    ).toEqual([
      { filter: 'blockId', text: '007' },
      { filter: 'type', text: '1' },
      { filter: 'vendorFieldHex', text: '6869' },
      { filter: 'fee', text: '0' },
    ]);
    expect(blocksPageOf(blocks('previous_block=13885734209974868061&total_fee=1e1')).conditions).toEqual([
      { filter: 'totalFee', text: '10' },
      { filter: 'previousBlock', text: '13885734209974868000' },
    ]);
  });

  it('have one sender: its address replaces its key', () => {
    const key = `02${'ab'.repeat(32)}`;
    const senderId = 'AUnwEeEGdxBGSC1XFRQ45LFpUn9rSEybAQ';
    expect(transactionsPageOf(transactions(`senderPublicKey=${key}`)).conditions).toEqual([
      { filter: 'senderPublicKey', text: key },
    ]);
    expect(
      transactionsPageOf(transactions(`senderPublicKey=${key}&sender_public_key=${key}&senderId=${senderId}`))
        .conditions,
    ).toEqual([{ filter: 'senderId', text: senderId }]);
  });

  it('have 100 as the default limit, and 0 means the default', () => {
    expect(pageOf(blocks(''))).toEqual({ limit: 100, offset: 0 });
    expect(pageOf(blocks('limit=&offset='))).toEqual({ limit: 100, offset: 0 });
    expect(pageOf(blocks('limit=7&offset=3'))).toEqual({ limit: 7, offset: 3 });
  });
});

describe('orderBy', () => {
  it('of transactions takes the names of the API in any case, and needs a direction', () => {
    const orderOf = (orderBy: string) => transactionsPageOf(transactions(`orderBy=${orderBy}`)).order;
    expect(transactionsPageOf(transactions('')).order).toEqual({ column: 'timestamp', direction: 'desc' });
    expect(orderOf('SenderPublicKey:ASC:x')).toEqual({ column: 'senderPublicKey', direction: 'asc' });
    expect(orderOf('recipient:desc')).toEqual({ column: 'recipientId', direction: 'desc' });
    for (const unknown of ['recipient_id:asc', 'senderId:asc', ':asc', 'bogus'])
      expect(orderOf(unknown)).toBeNull();
    for (const wrong of ['timestamp', 'timestamp:', 'amount:up'])
      expect(() => orderOf(wrong)).toThrow('should end with ":asc" or ":desc"');
  });

  it('of blocks takes the names of the database; others give no order', () => {
    const orderOf = (orderBy: string) => blocksPageOf(blocks(`orderBy=${orderBy}`)).order;
    expect(orderOf('TOTAL_amount:Desc')).toEqual({ column: 'totalAmount', direction: 'desc' });
    for (const unknown of ['totalAmount:desc', 'confirmations:desc', ':asc'])
      expect(orderOf(unknown)).toEqual({ column: 'height', direction: 'asc' });
    for (const wrong of ['height', 'height:up', 'height:asc:desc'])
      expect(orderOf(wrong)).toEqual({ column: 'height', direction: 'desc' });
  });

  it('of accounts is not checked by the node', () => {
    for (const absent of [undefined, 0, false, '', 'balance', 'address:up'])
      expect(accountOrderOf(absent)).toEqual({ column: 'balance', direction: 'desc' });
    expect(accountOrderOf('VOTE:asc')).toEqual({ column: 'vote', direction: 'asc' });
    expect(accountOrderOf('publicKey:desc')).toEqual({ column: 'address', direction: 'asc' });
    for (const wrong of [1, true, ['balance:asc', 'x'], ':asc'])
      expect(() => accountOrderOf(wrong)).toThrow('should');
  });
});
