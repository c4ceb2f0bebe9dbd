import { describe, expect, it } from '@jest/globals';
import { textOfBlock } from '@roundhouse/blocks';
import type { Block, LedgerBlock } from '@roundhouse/chain';
import { EncodedBlocks, ROW_TABLES } from '@roundhouse/storage';
import { rowFields } from '@roundhouse/storage/rows';
import { randomChain } from '@roundhouse/testing';
import { ReceivedTexts, SentTexts } from './sent-texts.js';
import { fromWire } from './from-wire.js';
import { transferables, WireWriter } from './wire.js';

const FIELDS = rowFields(structuredClone(ROW_TABLES));
const { blocks } = randomChain({ seed: 7, blocks: 120 });

class Wire {
  private readonly sent = new SentTexts();
  private readonly received = new ReceivedTexts();

  pass(blocks: readonly Block[]): EncodedBlocks {
    const writer = new WireWriter(this.sent, FIELDS);
    for (const block of blocks) writer.add(textOfBlock(block));
    const wire = writer.finish();
    const crossed = structuredClone(wire, { transfer: transferables(wire) });
    return fromWire(crossed, this.received.receive(crossed.newTexts));
  }

  /** A segment with a wrong block: the blocks before the error are thrown away. */
  fail(blocks: readonly Block[]): void {
    const writer = new WireWriter(this.sent, FIELDS);
    for (const block of blocks) writer.add(textOfBlock(block));
  }
}

const throughTheWire = (sent: readonly Block[]): EncodedBlocks => new Wire().pass(sent);

/** The ledger's fields of a block, copied: received blocks compute them on access. */
const ledgerPart = (block: LedgerBlock): LedgerBlock => {
  const { height, id, previousBlock, timestamp, numberOfTransactions, generatorPublicKey } = block;
  const { totalAmount, totalFee, reward, transactions } = block;
  return {
    ...{ height, id, previousBlock, timestamp, numberOfTransactions, generatorPublicKey },
    ...{ totalAmount, totalFee, reward },
    transactions: transactions.map(
      ({ id, type, typeGroup, senderPublicKey, recipientId, amount, fee, asset }) => ({
        ...{ id, type, typeGroup, senderPublicKey, recipientId, amount, fee, asset },
      }),
    ),
  };
};

describe('blocks between threads', () => {
  it('everything that the ledger needs arrives as it was sent, with its rows', () => {
    const arrived = throughTheWire(blocks);
    expect(arrived.blocks.map(ledgerPart)).toEqual(blocks.map(ledgerPart));
    const expected = EncodedBlocks.of(blocks);
    for (const rows of ['blockRows', 'transactionRows'] as const) {
      expect(Buffer.from(arrived[rows].bytes).equals(expected[rows].bytes)).toBe(true);
      expect(arrived[rows].ends).toEqual(expected[rows].ends);
    }
    expect(throughTheWire(blocks.slice(57, 58)).blocks.map(ledgerPart)).toEqual([ledgerPart(blocks[57]!)]);
  });

  it('segments arrive as they were sent, although each text is sent only once, and also after a segment that failed', () => {
    const wire = new Wire();
    const arrived: LedgerBlock[] = [];
    for (let from = 0; from < blocks.length; from += 20) {
      arrived.push(...wire.pass(blocks.slice(from, from + 10)).blocks);
      wire.fail(blocks.slice(from + 10, from + 15));
      arrived.push(...wire.pass(blocks.slice(from + 10, from + 20)).blocks);
    }
    expect(arrived.map(ledgerPart)).toEqual(blocks.map(ledgerPart));
  });

  it('both sides forget the same texts when there are too many', () => {
    const sent = new SentTexts();
    const received = new ReceivedTexts();
    for (let segment = 0; segment < 3; segment += 1) {
      sent.beginSegment();
      const texts = Array.from({ length: 40_000 }, (_, index) => `${segment % 2} ${index}`);
      const places = texts.map((text) => sent.placeOf(text));
      const held = received.receive(sent.take());
      expect(held.length).toBeLessThan(100_000);
      expect(places.map((place) => held[place])).toEqual(texts);
    }
  });

  it('amounts up to 2^63 - 1 keep every digit, and recipients that are not plain ASCII every character', () => {
    const most = 2n ** 63n - 1n;
    const amounts = { totalAmount: most, totalFee: most - 2n };
    const [transaction] = blocks.flatMap(({ transactions }) => transactions);
    const recipients = ['ü', 'a "quote"\n', '🎉', 'AHXtmB84sTZ9Zd35h9Y1vfFvPE2Xzqj8ri', null];
    const transactions = recipients.map((recipientId) => ({ ...transaction!, recipientId }));
    const [arrived] = throughTheWire([{ ...blocks[3]!, ...amounts, transactions }]).blocks;
    expect(arrived).toMatchObject(amounts);
    expect(arrived!.transactions.map(({ recipientId }) => recipientId)).toEqual(recipients);
  });
});
