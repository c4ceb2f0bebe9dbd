import { describe, expect, it } from '@jest/globals';
import type { Block, LedgerBlock } from '@roundhouse/chain';
import { EncodedBlocks } from '@roundhouse/storage';
import { randomChain } from '@roundhouse/testing';
import { fromWire, ReceivedTexts, SentTexts, transferables, WireWriter } from './wire.js';

const { blocks } = randomChain({ seed: 7, blocks: 120 });

class Wire {
  private readonly sent = new SentTexts();
  private readonly received = new ReceivedTexts();

  pass(blocks: readonly Block[]): EncodedBlocks {
    const writer = new WireWriter(this.sent);
    for (const block of blocks) writer.add(block);
    const wire = writer.finish();
    const crossed = structuredClone(wire, { transfer: transferables(wire) });
    return fromWire(crossed, this.received.receive(crossed.newTexts));
  }

  /** A segment with a wrong block: what came before the error is thrown away. */
  fail(blocks: readonly Block[]): void {
    const writer = new WireWriter(this.sent);
    for (const block of blocks) writer.add(block);
  }
}

const throughTheWire = (sent: readonly Block[]): EncodedBlocks => new Wire().pass(sent);

/** With its transactions' fields as its own: some of those that arrive are read when they are asked for. */
const plain = (block: LedgerBlock): Partial<Block> => ({
  ...block,
  transactions: block.transactions.map(
    ({ id, type, typeGroup, senderPublicKey, recipientId, amount, fee, asset }) => ({
      ...{ id, type, typeGroup, senderPublicKey, recipientId, amount, fee, asset },
    }),
  ),
});

const ledgerPart = (block: Block): Partial<Block> => {
  const { version: _v, numberOfTransactions: _n, payloadLength: _l, ...rest } = block;
  const { payloadHash: _h, blockSignature: _s, ...part } = rest;
  return part;
};

const text = ({ bytes }: { bytes: Uint8Array }): string => Buffer.from(bytes).toString();

describe('blocks between threads', () => {
  it('all that the ledger needs arrives as it was sent', () => {
    expect(throughTheWire(blocks).blocks.map(plain)).toEqual(blocks.map(ledgerPart));
    expect(throughTheWire(blocks.slice(57, 58)).blocks.map(plain)).toEqual([ledgerPart(blocks[57]!)]);
  });

  it('segment after segment, though texts cross but once, and also after one that failed', () => {
    const wire = new Wire();
    const arrived: LedgerBlock[] = [];
    for (let from = 0; from < blocks.length; from += 20) {
      arrived.push(...wire.pass(blocks.slice(from, from + 10)).blocks);
      wire.fail(blocks.slice(from + 10, from + 15));
      arrived.push(...wire.pass(blocks.slice(from + 10, from + 20)).blocks);
    }
    expect(arrived.map(plain)).toEqual(blocks.map(ledgerPart));
  });

  it('texts are forgotten on both sides alike when there are too many', () => {
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

  it('the rows are those that the blocks give', () => {
    const arrived = throughTheWire(blocks);
    const expected = EncodedBlocks.of(blocks);
    expect(text(arrived.blockRows)).toBe(text(expected.blockRows));
    expect(text(arrived.transactionRows)).toBe(text(expected.transactionRows));
    expect(arrived.transactionRows.ends).toEqual(expected.transactionRows.ends);
  });

  it('amounts up to 2^63 - 1 keep every digit', () => {
    const most = 2n ** 63n - 1n;
    const block = { ...blocks[3]!, totalAmount: most, totalFee: most - 2n };
    expect(throughTheWire([block]).blocks[0]).toMatchObject({ totalAmount: most, totalFee: most - 2n });
  });
});
