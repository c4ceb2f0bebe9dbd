import { readFileSync } from 'node:fs';
import { computeBlockId, decodeBlock } from '@roundhouse/blocks';
import { parseNetwork, type Block, type Exceptions, type Network } from '@roundhouse/chain';
import { readRecording, recordingFile, type Recording } from '@roundhouse/testing';
import type { Verification } from '../checks/block-checker.js';
import { SegmentDecoder } from './decode-line.js';

type Json = Record<string, unknown> & { transactions: Record<string, unknown>[] };

const recordedLines = (recording: Recording): Json[] => readRecording<Json>(recording, 'chain.ndjson.gz');

const networkOf = (recording: Recording, exceptions?: Exceptions): Network => {
  const network = parseNetwork(JSON.parse(readFileSync(recordingFile(recording, 'network.json'), 'utf8')));
  return exceptions ? { ...network, exceptions } : network;
};

const decode = async (
  network: Network,
  lines: readonly Json[],
  firstHeight = 1,
  { verify = 'hash', taken = [] }: { readonly verify?: Verification; readonly taken?: Block[] } = {},
): Promise<Block[]> => {
  const decoder = new SegmentDecoder({ source: 'a file', network, verify });
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  decoder.decode({ firstHeight, bytes }, taken);
  return taken;
};

const NETWORK = networkOf('core-2.4');
const LINES = recordedLines('core-2.4');
const BLOCKS = LINES.map(decodeBlock);
/** The index of a block with several transactions. */
const BUSY = BLOCKS.findIndex(({ height, transactions }) => height > 1 && transactions.length > 2);

const ELSEWHERE = LINES[0]!.transactions[0]!['recipientId'];

const withChange = (change: (block: Json) => Json): Json[] =>
  LINES.map((line, index) => (index === BUSY ? change(line) : line));

describe('SegmentDecoder', () => {
  it.each(['core-2.4', 'core-3.9'] as const)(
    'returns every block of a recorded chain (%s)',
    async (recording) => {
      const lines = recordedLines(recording);
      expect(await decode(networkOf(recording), lines)).toEqual(lines.map(decodeBlock));
    },
  );

  it('reads hashes and keys in capital letters as in small ones', async () => {
    const { payloadHash, generatorPublicKey } = BLOCKS[BUSY]!;
    const capitals = {
      payloadHash: payloadHash.toUpperCase(),
      generatorPublicKey: generatorPublicKey.toUpperCase(),
    };
    expect(
      await decode(
        NETWORK,
        withChange((block) => ({ ...block, ...capitals })),
      ),
    ).toEqual(BLOCKS);
  });

  const withFirst =
    (change: object) =>
    (block: Json): Json => ({
      ...block,
      transactions: block.transactions.map((each, place) => (place === 0 ? { ...each, ...change } : each)),
    });

  it.each<[string, (block: Json) => Json, string]>([
    ['height', (block) => ({ ...block, height: 9_999 }), 'holds height 9999'],
    ['previous block', (block) => ({ ...block, previousBlock: '1' }), 'its previousBlock is 1'],
    ['id', (block) => ({ ...block, id: '12345' }), 'its id is 12345'],
    ['list', (block) => ({ ...block, transactions: block.transactions.slice(1) }), 'transactions, but'],
    ['amount', withFirst({ amount: '4294967297' }), 'its totalAmount is'],
    ['fee', withFirst({ fee: '4294967297' }), 'its totalFee is'],
    ['recipient', withFirst({ recipientId: ELSEWHERE }), 'has contents that give the id'],
    ['transaction', withFirst({ amount: undefined }), 'is missing'],
  ])('refuses a wrong %s, after returning all blocks below it', async (_, change, reason) => {
    const taken: Block[] = [];
    const decoding = decode(NETWORK, withChange(change), 1, { taken });
    await expect(decoding).rejects.toThrow(reason);
    await expect(decoding).rejects.toMatchObject({ height: BUSY + 1 });
    expect(taken).toEqual(BLOCKS.slice(0, BUSY));
  });

  it('refuses the first block with a wrong signature, even if one above it is wrong in another way', async () => {
    const forged = { ...BLOCKS[BUSY - 1]!, blockSignature: BLOCKS[1]!.blockSignature };
    const id = computeBlockId(forged, false);
    const { blockSignature } = forged;
    const lines = withChange((block) => ({ ...block, previousBlock: id, id: '12345' }));
    lines[BUSY - 1] = { ...lines[BUSY - 1]!, blockSignature, id };
    await expect(decode(NETWORK, lines, 1, { verify: 'full' })).rejects.toMatchObject({ height: BUSY });
    await expect(decode(NETWORK, lines.slice(BUSY), BUSY + 1, { verify: 'full' })).rejects.toMatchObject({
      height: BUSY + 1,
    });
  });

  it('begins anywhere, and checks the links from there on', async () => {
    expect(await decode(NETWORK, LINES.slice(100), 101)).toEqual(BLOCKS.slice(100));
    await expect(decode(NETWORK, LINES.slice(100), 100)).rejects.toThrow('holds height 101');
    await expect(decode(NETWORK, [LINES[100]!, LINES[102]!], 101)).rejects.toThrow('holds height 103');
  });

  it('consults the exceptions of the network even if nothing looks wrong', async () => {
    const { id, transactions } = BLOCKS[BUSY]!;
    const ids = transactions.map((transaction) => transaction.id);
    const renamed = 'ef'.repeat(32);
    const idsWith = async (exceptions: Exceptions): Promise<string[]> =>
      (await decode(networkOf('core-2.4', exceptions), LINES))[BUSY]!.transactions.map((each) => each.id);
    expect(await idsWith({ wrongTransactionOrder: { [id]: ids.toReversed() } })).toEqual(ids.toReversed());
    const fixing = { transactionIdFixTable: { [ids[0]!]: renamed }, blocks: [id] };
    expect(await idsWith(fixing)).toEqual([renamed, ...ids.slice(1)]);
    await expect(idsWith({ outlookTable: { [id]: '17' } })).rejects.toThrow('but its contents give 17');
    expect(await idsWith({ blocks: [id] })).toEqual(ids);
  });
});
