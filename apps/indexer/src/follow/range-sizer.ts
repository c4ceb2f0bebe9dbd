import { Injectable } from '@nestjs/common';

interface FetchedRange {
  readonly blocks: number;
  readonly bytes: number;
  readonly durationMs: number;
}

const FIRST_BLOCKS = 100;
const LEAST_BLOCKS = 10;
const MOST_BLOCKS = 2_000;
const FIRST_BYTES_PER_BLOCK = 1_000;
/** With ranges of about this download time, both the overhead and the cost of a lost job are small. */
const TARGET_MS = 1_000;
const TARGET_BYTES = 1_048_576;

/** Determines how many blocks a fetch job should hold, from how the source served the last ranges. */
@Injectable()
export class RangeSizer {
  rangeBlocks = FIRST_BLOCKS;
  bytesPerBlock = FIRST_BYTES_PER_BLOCK;

  observe({ blocks, bytes, durationMs }: FetchedRange): void {
    // The time of a few blocks at the tip is the round trip, not the source's speed.
    if (blocks < LEAST_BLOCKS) return;
    this.bytesPerBlock = Math.ceil((this.bytesPerBlock + bytes / blocks) / 2);
    const fitting = blocks * Math.min(TARGET_MS / Math.max(durationMs, 1), TARGET_BYTES / bytes);
    const bounded = Math.min(Math.max(fitting, this.rangeBlocks / 2), this.rangeBlocks * 2);
    this.rangeBlocks = Math.round(Math.min(Math.max(bounded, LEAST_BLOCKS), MOST_BLOCKS));
  }
}
