import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { blockOfText, textOfBlock } from '@roundhouse/blocks';
import { parseNetwork, type Block, type LedgerBlock, type Network } from '@roundhouse/chain';
import { SegmentDecoder, type BlockSegment } from '@roundhouse/source/segments';
import { EncodedBlocks } from '@roundhouse/storage';
import { randomChain, readRecording, recordingFile, type Recording } from '@roundhouse/testing';
import { ReceivedTexts, SentTexts } from './sent-texts.js';
import { fromWire, transferables, WireWriter } from './wire.js';

type RawBlock = Record<string, unknown> & { readonly payloadHash: string };

/** A recorded chain as a segment; every seventh line is not in the plain form that the fast decoder reads. */
const recordedSegment = (recording: Recording): BlockSegment => {
  const lines = readRecording<RawBlock>(recording, 'chain.ndjson.gz').map((block, index) =>
    JSON.stringify(index % 7 === 3 ? { ...block, payloadHash: block.payloadHash.toUpperCase() } : block),
  );
  return { firstHeight: 1, bytes: Buffer.from(lines.join('\n')) };
};

const recordedNetwork = (recording: Recording): Network =>
  parseNetwork(JSON.parse(readFileSync(recordingFile(recording, 'network.json'), 'utf8')));

const { blocks } = randomChain({ seed: 7, blocks: 120 });

class Wire {
  private readonly sent = new SentTexts();
  private readonly received = new ReceivedTexts();

  pass(blocks: readonly Block[]): EncodedBlocks {
    const writer = new WireWriter(this.sent);
    for (const block of blocks) writer.add(textOfBlock(block));
    const wire = writer.finish();
    const crossed = structuredClone(wire, { transfer: transferables(wire) });
    return fromWire(crossed, this.received.receive(crossed.newTexts));
  }

  /** A segment with a wrong block: the blocks before the error are thrown away. */
  fail(blocks: readonly Block[]): void {
    const writer = new WireWriter(this.sent);
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

const expectSameRows = (arrived: EncodedBlocks, expected: EncodedBlocks): void => {
  for (const rows of ['blockRows', 'transactionRows'] as const) {
    expect(Buffer.from(arrived[rows].bytes).equals(expected[rows].bytes)).toBe(true);
    expect(arrived[rows].ends).toEqual(expected[rows].ends);
  }
};

describe('blocks between threads', () => {
  it('everything that the ledger needs arrives as it was sent', () => {
    expect(throughTheWire(blocks).blocks.map(ledgerPart)).toEqual(blocks.map(ledgerPart));
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

  it('the rows are those of the blocks', () => {
    const arrived = throughTheWire(blocks);
    expectSameRows(arrived, EncodedBlocks.of(blocks));
  });

  it.each(['core-2.4', 'core-3.9'] as const)(
    'a recorded chain arrives as it was decoded (%s)',
    async (recording) => {
      const options = { source: 'a file', network: recordedNetwork(recording), verify: 'hash' as const };
      const sent: Block[] = [];
      const writer = new WireWriter(new SentTexts());
      await new SegmentDecoder(options).decode(recordedSegment(recording), (text) => {
        sent.push(blockOfText(text));
        writer.add(text);
      });
      const wire = writer.finish();
      const arrived = fromWire(wire, new ReceivedTexts().receive(wire.newTexts));
      expect(arrived.blocks.map(ledgerPart)).toEqual(sent.map(ledgerPart));
      expectSameRows(arrived, EncodedBlocks.of(sent));
    },
  );

  it('a recipient that is not plain ASCII arrives as it was sent', () => {
    const [transaction] = blocks.flatMap(({ transactions }) => transactions);
    const recipients = ['ü', 'a "quote"\n', '🎉', 'AHXtmB84sTZ9Zd35h9Y1vfFvPE2Xzqj8ri', null];
    const transactions = recipients.map((recipientId) => ({ ...transaction!, recipientId }));
    const [arrived] = throughTheWire([{ ...blocks[3]!, transactions }]).blocks;
    expect(arrived!.transactions.map(({ recipientId }) => recipientId)).toEqual(recipients);
  });

  it('a text is found again by its bytes, however many there are', () => {
    const sent = new SentTexts();
    const texts = Array.from({ length: 150_000 }, (_, index) => `D${index % 1_000}text ${index}`);
    const places = texts.map((text) => sent.placeOf(text));
    expect(new Set(places).size).toBe(texts.length);
    expect(texts.map((text) => sent.placeOf(text))).toEqual(places);
    expect(sent.take()).toEqual({ from: 0, texts });
  });

  it('amounts up to 2^63 - 1 keep every digit', () => {
    const most = 2n ** 63n - 1n;
    const block = { ...blocks[3]!, totalAmount: most, totalFee: most - 2n };
    expect(throughTheWire([block]).blocks[0]).toMatchObject({ totalAmount: most, totalFee: most - 2n });
  });
});
