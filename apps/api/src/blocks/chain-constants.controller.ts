import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  EpochResponseDto,
  FeeResponseDto,
  FeesResponseDto,
  HeightResponseDto,
  MilestoneResponseDto,
  NethashResponseDto,
  RewardResponseDto,
  StatusResponseDto,
  SupplyResponseDto,
} from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Answers } from '../answers/answers.decorator.js';
import type { ChainView } from '../chain/chain-tracker.service.js';

/** The milestone of the old API: it counts periods of 3,000,000 heights and has nothing to do with a network's milestones. */
export const milestoneOf = ({ head }: ChainView): number => Math.floor(head.height / 3_000_000);

export const statusOf = (chain: ChainView): StatusResponseDto => ({
  epoch: chain.constants.epoch,
  height: chain.head.height,
  fee: chain.constants.staticFees.transfer,
  milestone: milestoneOf(chain),
  nethash: chain.network.nethash,
  reward: chain.constants.reward,
  supply: chain.head.supply,
  success: true,
});

/** Answers that depend only on the head and the network. */
@ApiTags('Blocks')
@Controller('api/blocks')
export class ChainConstantsController {
  @Get('getFees')
  @Answers(FeesResponseDto, { summary: 'An empty object' })
  getFees(): MakeContent<object> {
    return () => ({});
  }

  @Get('getFee')
  @Answers(FeeResponseDto, { summary: 'Fee of a transfer' })
  getFee() {
    return ({ constants }: ChainView) => ({ fee: constants.staticFees.transfer, success: true });
  }

  @Get('getEpoch')
  @Answers(EpochResponseDto, { summary: 'Second 0 of the chain' })
  getEpoch() {
    return ({ constants }: ChainView) => ({ epoch: constants.epoch, success: true });
  }

  @Get('getHeight')
  @Answers(HeightResponseDto, { summary: 'Height and id of the newest block' })
  getHeight() {
    return ({ head }: ChainView) => ({ height: head.height, id: head.id, success: true });
  }

  @Get('getMilestone')
  @Answers(MilestoneResponseDto, { summary: 'Milestone of the height' })
  getMilestone() {
    return (chain: ChainView) => ({ milestone: milestoneOf(chain), success: true });
  }

  @Get('getNethash')
  @Answers(NethashResponseDto, { summary: 'Hash that identifies the network' })
  getNethash() {
    return ({ network }: ChainView) => ({ nethash: network.nethash, success: true });
  }

  @Get('getReward')
  @Answers(RewardResponseDto, { summary: 'Reward of a block' })
  getReward() {
    return ({ constants }: ChainView) => ({ reward: constants.reward, success: true });
  }

  @Get('getStatus')
  @Answers(StatusResponseDto, { summary: 'All constants at once' })
  getStatus(): MakeContent<StatusResponseDto> {
    return statusOf;
  }

  @Get('getSupply')
  @Answers(SupplyResponseDto, { summary: 'Tokens in existence' })
  getSupply() {
    return ({ head }: ChainView) => ({ supply: head.supply, success: true });
  }
}

@ApiTags('Signatures')
@Controller('api/signatures')
export class SignaturesController {
  @Get('fee')
  @Answers(FeeResponseDto, { summary: 'Fee for registering a second signature' })
  getFee() {
    return ({ constants }: ChainView) => ({ fee: constants.staticFees.secondSignature, success: true });
  }
}
