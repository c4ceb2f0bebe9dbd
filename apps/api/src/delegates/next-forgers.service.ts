import { Injectable } from '@nestjs/common';
import { heightsForSlots, roundOf, slotOf } from '@roundhouse/chain';
import { assertLimit, type NextForgersQueryDto, type NextForgersResponseDto } from '@roundhouse/dto';
import { RoundsReader } from '@roundhouse/storage';
import type { ChainView } from '../chain/chain-view.js';

const DEFAULT_LIMIT = 10;

@Injectable()
export class NextForgersService {
  constructor(private readonly rounds: RoundsReader) {}

  /** Uses the forging order of the next block's round: at the last block of a round, that is the next round. */
  async getNextForgers(
    { head, milestones }: ChainView,
    query: NextForgersQueryDto,
  ): Promise<NextForgersResponseDto> {
    const { round, activeDelegates } = roundOf(milestones, head.height + 1);
    const limit = query.limit ?? Math.min(DEFAULT_LIMIT, activeDelegates);
    assertLimit(limit, activeDelegates);
    const record = await this.rounds.findRound(head, round, heightsForSlots(milestones, head.height));
    if (!record) throw new Error(`Round ${round} has no row, although the head is ${head.height}.`);
    const { forgingOrder, timestamps } = record;
    const slot = slotOf(milestones, head.timestamp, head.height, (height) => timestamps.get(height)!);
    const forgerOf = (slotNumber: number): string => forgingOrder[slotNumber % forgingOrder.length]!;
    return {
      currentBlock: head.height,
      currentSlot: slot,
      delegates: Array.from({ length: limit }, (_, index) => forgerOf(slot + 1 + index)),
      success: true,
    };
  }
}
