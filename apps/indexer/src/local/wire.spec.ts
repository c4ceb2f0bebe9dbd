import { describe, expect, it } from '@jest/globals';
import type { Block } from '@roundhouse/chain';
import { EncodedBlocks } from '@roundhouse/storage';
import { randomChain } from '@roundhouse/testing';
import { fromWire, transferables, WireWriter } from './wire.js';

const { blocks } = randomChain({ seed: 7, blocks: 120 });

const throughTheWire = (sent: readonly Block[]): EncodedBlocks => {
  const writer = new WireWriter();
  for (const block of sent) writer.add(block);
  const wire = writer.finish();
  return fromWire(structuredClone(wire, { transfer: transferables(wire) }));
};

const ledgerPart = (block: Block): Partial<Block> => {
  const { version: _v, numberOfTransactions: _n, payloadLength: _l, ...rest } = block;
  const { payloadHash: _h, blockSignature: _s, ...part } = rest;
  return part;
};

const text = ({ bytes }: { bytes: Uint8Array }): string => Buffer.from(bytes).toString();

describe('blocks between threads', () => {
  it('all that the ledger needs arrives as it was sent', () => {
    expect(throughTheWire(blocks).blocks).toEqual(blocks.map(ledgerPart));
    expect(throughTheWire(blocks.slice(57, 58)).blocks).toEqual([ledgerPart(blocks[57]!)]);
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
