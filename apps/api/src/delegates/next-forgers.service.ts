import { Injectable } from '@nestjs/common';
import { forgerAt, heightsForSlots, roundOf, slotOf } from '@roundhouse/chain';
import { assertLimit, type NextForgersQueryDto } from '@roundhouse/dto';
import { RoundsReader } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-tracker.service.js';

const DEFAULT_LIMIT = 10;

@Injectable()
export class NextForgersService {
  constructor(private readonly rounds: RoundsReader) {}

  /** Uses the forging order of the next block's round: at the last block of a round, that is the next round. */
  async getNextForgers({ head, milestones }: ChainView, query: NextForgersQueryDto) {
    const { round, activeDelegates } = roundOf(milestones, head.height + 1);
    const limit = query.limit ?? Math.min(DEFAULT_LIMIT, activeDelegates);
    assertLimit(limit, activeDelegates);
    const record = await this.rounds.findRound(head, round, heightsForSlots(milestones, head.height));
    if (!record) throw new Error(`Round ${round} has no row, although the head is ${head.height}.`);
    const slot = slotOf(milestones, head.timestamp, head.height, (height) => record.timestamps[height]!);
    return {
      currentBlock: head.height,
      currentSlot: slot,
      delegates: Array.from({ length: limit }, (_, index) => forgerAt(record, slot + 1 + index)),
      success: true,
    };
  }
}
