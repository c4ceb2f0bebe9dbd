import { Query } from '@nestjs/common';
import { ReadyJson, type StatusResponseDto } from '@roundhouse/dto';
import { BlocksQuery, nodeQuery, NodeRefusal, text } from '@roundhouse/dto/core-v1';
import { NodeBlocksReader } from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import { ChainConstantsController, statusOf } from '../blocks/chain-constants.controller.js';
import { CoreV1Controller, NodeGet } from './core-v1.decorators.js';
import { blocksPageOf } from './list-parameters.js';

class BlockQuery extends nodeQuery({ id: text({ shortest: 1 }) }, 'id') {}

/** Blocks, and the chain's constants: most are those of the contract. */
@CoreV1Controller('blocks')
export class BlocksController extends ChainConstantsController {
  constructor(private readonly blocks: NodeBlocksReader) {
    super();
  }

  @NodeGet()
  listBlocks(@Query() query: BlocksQuery): MakeContent<object> {
    const page = blocksPageOf(query);
    return made(this.blocks.isBounded(page) ? {} : { places: 'lists' }, async (chain) => {
      if (page.conditions.length > 0) chain.assertListIndexes();
      const { blocks, count } = await this.blocks.listBlocks(chain.head, page);
      return { blocks: ReadyJson.list(blocks), count, success: true };
    });
  }

  @NodeGet('get')
  getBlock(@Query() { id }: BlockQuery): MakeContent<object> {
    return async ({ head }) => {
      const block = await this.blocks.findBlock(head, id);
      if (block === '') throw new NodeRefusal(`Block with id ${id} not found`);
      return { block: new ReadyJson(block), success: true };
    };
  }

  @NodeGet('getFees')
  override getFees(): MakeContent<object> {
    return ({ constants: { staticFees } }) => ({
      fees: {
        send: staticFees.transfer,
        secondsignature: staticFees.secondSignature,
        delegate: staticFees.delegateRegistration,
        vote: staticFees.vote,
        multisignature: staticFees.multiSignature,
      },
      success: true,
    });
  }

  @NodeGet('getStatus')
  override getStatus(): MakeContent<StatusResponseDto> {
    // The node counts the rewards up to the block before.
    return (chain) => ({ ...statusOf(chain), supply: chain.head.supply - chain.constants.reward });
  }
}
