import { sha256 } from '@roundhouse/chain';
import { computeBlockId, headerBytes } from './check-block.js';
import { aBlock, aTransaction, hashOf, recordedBlocks } from './blocks.harness.js';

const block = aBlock([aTransaction(hashOf('a'))]);

describe('computeBlockId', () => {
  it('hashes the genesis block without its signature and all other blocks with it', () => {
    const [genesis, second] = recordedBlocks('core-2.4');
    expect(computeBlockId({ ...genesis!, blockSignature: 'ff' }, false)).toBe('17184958558311101492');
    expect(computeBlockId({ ...second!, blockSignature: 'ff' }, false)).not.toBe(second!.id);
  });

  it('returns the whole hash as hex for full ids, and its first eight bytes reversed for short ids', () => {
    const full = computeBlockId(block, true);
    const signed = Buffer.concat([headerBytes(block), Buffer.from(block.blockSignature, 'hex')]);
    expect(full).toBe(sha256(signed).toString('hex'));
    const reversed = Buffer.from(full, 'hex').subarray(0, 8).reverse().toString('hex');
    expect(computeBlockId(block, false)).toBe(BigInt(`0x${reversed}`).toString());
  });
});

describe('headerBytes', () => {
  it('writes the fields little-endian and a short previous id big-endian', () => {
    const bytes = headerBytes({
      ...block,
      version: 1,
      timestamp: 0x01020304,
      height: 0x0a0b0c0d,
      previousBlock: '72623859790382856',
      numberOfTransactions: 5,
      totalAmount: 0x0102030405060708n,
      totalFee: 2n,
      reward: 3n,
      payloadLength: 4,
    });
    const written = [
      '01000000',
      '04030201',
      '0d0c0b0a',
      '0102030405060708',
      '05000000',
      '0807060504030201',
      '0200000000000000',
      '0300000000000000',
      '04000000',
      block.payloadHash,
      block.generatorPublicKey,
    ];
    expect(bytes.toString('hex')).toBe(written.join(''));
  });

  it('writes a previous id of 64 characters as 32 bytes', () => {
    const short = headerBytes(block).toString('hex');
    const full = headerBytes({ ...block, previousBlock: hashOf('previous') }).toString('hex');
    expect(full).toBe(short.slice(0, 24) + hashOf('previous') + short.slice(40));
  });

  it('writes the largest previous id, and reads one of 16 digits as decimal', () => {
    const at = (previousBlock: string): string =>
      headerBytes({ ...block, previousBlock })
        .subarray(12, 20)
        .toString('hex');
    expect(at('18446744073709551615')).toBe('ffffffffffffffff');
    expect(at('1000000000000000')).toBe('00038d7ea4c68000');
  });
});
