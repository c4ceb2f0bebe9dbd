import { endianness } from 'node:os';
import { copyBytes, viewOf, type AmountText, type Span } from '@roundhouse/blocks';

// Growing columns, for blocks that are sent to another thread.

/** The length of a transaction id. */
export const ID_CHARACTERS = 64;

/** Transaction ids as text, one after the other. */
export class Ids {
  private bytes = Buffer.allocUnsafeSlow(1024 * ID_CHARACTERS);
  private view = viewOf(this.bytes);
  private length = 0;

  add(source: DataView, span: Span): void {
    this.makeRoom();
    this.length = copyBytes(source, span, this.view, this.length);
  }

  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private makeRoom(): void {
    if (this.length < this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(this.length * 2);
    this.bytes.copy(larger);
    this.bytes = larger;
    this.view = viewOf(larger);
  }
}

/** Which half of a number comes first in memory. */
const [LOW, HIGH] = endianness() === 'LE' ? [0, 1] : [1, 0];

export class Amounts {
  private values = new BigInt64Array(1024);
  private halves = new Uint32Array(this.values.buffer);
  private length = 0;

  add({ low, high }: AmountText): void {
    this.makeRoom();
    const at = this.length++ * 2;
    this.halves[at + LOW] = low;
    this.halves[at + HIGH] = high;
  }

  finish(): BigInt64Array {
    return this.values.subarray(0, this.length);
  }

  private makeRoom(): void {
    if (this.length < this.values.length) return;
    const larger = new BigInt64Array(this.length * 2);
    larger.set(this.values);
    this.values = larger;
    this.halves = new Uint32Array(larger.buffer);
  }
}
