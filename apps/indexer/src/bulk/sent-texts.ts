import { areBytes, viewOf, type Span, type ViewedBytes } from '@roundhouse/blocks';

/** The receiver stores these texts from index `from` on; what it had there is forgotten. */
export interface NewTexts {
  readonly from: number;
  readonly texts: readonly string[];
}

/** More keys and recipients than are active in most weeks of a chain. Their texts take a few megabytes. */
const MOST_TEXTS = 50_000;

/** A power of two, far above `MOST_TEXTS` plus the new texts of one segment. */
const LEAST_SLOTS = 1 << 17;

/** Keys and addresses are random to their ends, so hashing more bytes would only be slower. */
const HASHED_BYTES = 8;

const hashOf = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = end - start;
  for (let i = Math.max(start, end - HASHED_BYTES); i < end; i += 1) hash = Math.imul(hash, 31) ^ bytes[i]!;
  // The low bits choose the slot, so all other bits must affect them.
  return hash ^ (hash >>> 15);
};

/**
 * Public keys and recipients. Each is sent once, and later named by its index: the same few thousand occur all the
 * time, and reusing the string saves the ledger from hashing it again. They are looked up by their bytes, so a text
 * that was sent already need not become a string.
 */
export class SentTexts {
  /** A text's index + 1, at the slot of its hash or the next free one; 0 if the slot is free. */
  private slots = new Uint32Array(LEAST_SLOTS);
  /** All texts, one after the other, in UTF-8. */
  private bytes = Buffer.allocUnsafe(1 << 20);
  private view = viewOf(this.bytes);
  /** Where each text ends in `bytes`. */
  private ends: number[] = [];
  private waiting: string[] = [];

  placeOf(text: string): number {
    const bytes = Buffer.from(text);
    return this.placeOfBytes({ bytes, view: viewOf(bytes) }, { start: 0, end: bytes.length });
  }

  placeOfBytes({ bytes, view }: ViewedBytes, span: Span): number {
    const mask = this.slots.length - 1;
    let slot = hashOf(bytes, span.start, span.end) & mask;
    for (let next = this.slots[slot]!; next > 0; next = this.slots[slot]!) {
      if (this.isAt(next - 1, view, span)) return next - 1;
      slot = (slot + 1) & mask;
    }
    return this.add(bytes, span.start, span.end, slot);
  }

  /** Call this before the first text of a segment. */
  beginSegment(): void {
    if (this.ends.length < MOST_TEXTS || this.waiting.length > 0) return;
    this.ends = [];
    this.slots = new Uint32Array(LEAST_SLOTS);
  }

  take(): NewTexts {
    const texts = this.waiting;
    this.waiting = [];
    return { from: this.ends.length - texts.length, texts };
  }

  private startOf(place: number): number {
    return place === 0 ? 0 : this.ends[place - 1]!;
  }

  private isAt(place: number, source: DataView, span: Span): boolean {
    const at = this.startOf(place);
    return this.ends[place]! - at === span.end - span.start && areBytes(source, span, this.view, at);
  }

  private add(source: Buffer, start: number, end: number, slot: number): number {
    const place = this.ends.length;
    const at = this.startOf(place);
    const length = end - start;
    if (at + length > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(at + length, this.bytes.length * 2));
      this.bytes.copy(larger);
      this.bytes = larger;
      this.view = viewOf(larger);
    }
    source.copy(this.bytes, at, start, end);
    this.ends.push(at + length);
    this.slots[slot] = place + 1;
    this.waiting.push(source.toString('utf8', start, end));
    if (this.ends.length * 2 > this.slots.length) this.makeSlots();
    return place;
  }

  private makeSlots(): void {
    const slots = new Uint32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let place = 0; place < this.ends.length; place += 1) {
      let slot = hashOf(this.bytes, this.startOf(place), this.ends[place]!) & mask;
      while (slots[slot]! > 0) slot = (slot + 1) & mask;
      slots[slot] = place + 1;
    }
    this.slots = slots;
  }
}

/** The receiver's side of `SentTexts`: takes what it sent, in the same order. */
export class ReceivedTexts {
  private texts: string[] = [];

  /** Returns all texts that the sender may refer to; arrays that were returned earlier stay valid. */
  receive({ from, texts }: NewTexts): readonly string[] {
    if (from === 0) this.texts = [];
    for (const text of texts) this.texts.push(text);
    return this.texts;
  }
}
