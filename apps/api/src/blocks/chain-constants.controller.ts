import { Controller } from '@nestjs/common';
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
import { Endpoint } from '../answers/endpoint.decorator.js';
import type { ChainView } from '../chain/chain-view.js';

/** The milestone of the old API: it counts periods of 3,000,000 heights and has nothing to do with a network's milestones. */
export const milestoneOf = ({ head }: ChainView): number => Math.floor(head.height / 3_000_000);

/** Answers that depend only on the head and the network. */
@ApiTags('Blocks')
@Controller('api/blocks')
export class ChainConstantsController {
  @Endpoint('getFees', { summary: 'An empty object', answer: FeesResponseDto })
  getFees(): MakeContent<FeesResponseDto> {
    return () => ({});
  }

  @Endpoint('getFee', { summary: 'Fee of a transfer', answer: FeeResponseDto })
  getFee(): MakeContent<FeeResponseDto> {
    return ({ constants }) => ({ fee: constants.staticFees.transfer, success: true });
  }

  @Endpoint('getEpoch', { summary: 'Second 0 of the chain', answer: EpochResponseDto })
  getEpoch(): MakeContent<EpochResponseDto> {
    return ({ constants }) => ({ epoch: constants.epoch, success: true });
  }

  @Endpoint('getHeight', { summary: 'Height and id of the newest block', answer: HeightResponseDto })
  getHeight(): MakeContent<HeightResponseDto> {
    return ({ head }) => ({ height: head.height, id: head.id, success: true });
  }

  @Endpoint('getMilestone', { summary: 'Milestone of the height', answer: MilestoneResponseDto })
  getMilestone(): MakeContent<MilestoneResponseDto> {
    return (chain) => ({ milestone: milestoneOf(chain), success: true });
  }

  @Endpoint('getNethash', { summary: 'Hash that identifies the network', answer: NethashResponseDto })
  getNethash(): MakeContent<NethashResponseDto> {
    return ({ network }) => ({ nethash: network.nethash, success: true });
  }

  @Endpoint('getReward', { summary: 'Reward of a block', answer: RewardResponseDto })
  getReward(): MakeContent<RewardResponseDto> {
    return ({ constants }) => ({ reward: constants.reward, success: true });
  }

  @Endpoint('getStatus', { summary: 'All constants at once', answer: StatusResponseDto })
  getStatus(): MakeContent<StatusResponseDto> {
    return (chain) => ({
      epoch: chain.constants.epoch,
      height: chain.head.height,
      fee: chain.constants.staticFees.transfer,
      milestone: milestoneOf(chain),
      nethash: chain.network.nethash,
      reward: chain.constants.reward,
      supply: chain.head.supply,
      success: true,
    });
  }

  @Endpoint('getSupply', { summary: 'Tokens in existence', answer: SupplyResponseDto })
  getSupply(): MakeContent<SupplyResponseDto> {
    return ({ head }) => ({ supply: head.supply, success: true });
  }
}
