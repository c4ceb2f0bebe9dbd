import { Query } from '@nestjs/common';
import { ReadyJson } from '@roundhouse/dto';
import { BLOCKS_RULES, nodeQuery, refuse, required, text } from '@roundhouse/dto/core-v1';
import { NodeBlocksReader } from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import { milestoneOf, statusOf } from '../blocks/chain-constants.controller.js';
import { CoreV1Controller, NodeGet } from './core-v1.decorators.js';
import { blockConditionsOf, blockOrderOf, pageOf } from './list-parameters.js';

class BlockQuery extends nodeQuery({ id: required(text({ shortest: 1 })) }) {}
class BlocksQuery extends nodeQuery(BLOCKS_RULES) {}

/** Blocks, and the chain's constants. */
@CoreV1Controller('blocks')
export class BlocksController {
  constructor(private readonly blocks: NodeBlocksReader) {}

  @NodeGet()
  listBlocks(@Query() query: BlocksQuery): MakeContent<object> {
    const page = { ...pageOf(query), order: blockOrderOf(query), conditions: blockConditionsOf(query) };
    return made(this.blocks.isBounded(page) ? {} : { places: 'lists' }, async ({ head }) => {
      const { blocks, count } = await this.blocks.listBlocks(head, page);
      return { blocks: ReadyJson.list(blocks), count, success: true };
    });
  }

  @NodeGet('get')
  getBlock(@Query() { id }: BlockQuery): MakeContent<object> {
    return async ({ head }) => {
      const block = await this.blocks.findBlock(head, id);
      if (block === '') throw refuse(`Block with id ${id} not found`);
      return { block: new ReadyJson(block), success: true };
    };
  }

  @NodeGet('getEpoch')
  getEpoch(): MakeContent<object> {
    return ({ constants }) => ({ epoch: constants.epoch, success: true });
  }

  @NodeGet('getHeight')
  getHeight(): MakeContent<object> {
    return ({ head: { height, id } }) => ({ height, id, success: true });
  }

  @NodeGet('getNethash')
  getNethash(): MakeContent<object> {
    return ({ network }) => ({ nethash: network.nethash, success: true });
  }

  @NodeGet('getFee')
  getFee(): MakeContent<object> {
    return ({ constants }) => ({ fee: constants.staticFees.transfer, success: true });
  }

  @NodeGet('getFees')
  getFees(): MakeContent<object> {
    return ({ constants: { staticFees } }) => ({
      fees: {
        send: staticFees.transfer,
        secondsignature: staticFees.secondSignature,
        delegate: staticFees.delegateRegistration,
        ...(staticFees.vote !== undefined && { vote: staticFees.vote }),
        ...(staticFees.multiSignature !== undefined && { multisignature: staticFees.multiSignature }),
      },
      success: true,
    });
  }

  @NodeGet('getMilestone')
  getMilestone(): MakeContent<object> {
    return (chain) => ({ milestone: milestoneOf(chain), success: true });
  }

  @NodeGet('getReward')
  getReward(): MakeContent<object> {
    return ({ constants }) => ({ reward: constants.reward, success: true });
  }

  @NodeGet('getSupply')
  getSupply(): MakeContent<object> {
    return ({ head }) => ({ supply: head.supply, success: true });
  }

  @NodeGet('getStatus')
  getStatus(): MakeContent<object> {
    // The node counts the rewards up to the block before.
    return (chain) => ({ ...statusOf(chain), supply: chain.head.supply - chain.constants.reward });
  }
}
