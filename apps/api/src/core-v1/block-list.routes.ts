import { Injectable } from '@nestjs/common';
import { ReadyJson } from '@roundhouse/dto';
import {
  blockConditionsOf,
  blockOrderOf,
  BLOCKS_RULES,
  pageOf,
  type NodeBlocks,
} from '@roundhouse/dto/core-v1';
import { NodeBlockListReader } from '@roundhouse/readers';
import { inPlaces } from '../answers/answer-request.js';
import type { ChainView } from '../chain/chain-view.js';
import { route, type RouteGroup } from './core-v1-route.js';

@Injectable()
export class BlockListRoutes implements RouteGroup {
  constructor(private readonly blocks: NodeBlockListReader) {}

  readonly routes = [
    route('blocks', { rules: BLOCKS_RULES }, (parameters) => {
      const page = {
        ...pageOf(parameters),
        order: blockOrderOf(parameters),
        conditions: blockConditionsOf(parameters),
      };
      const make = async ({ head }: ChainView): Promise<NodeBlocks> => {
        const { blocks, count } = await this.blocks.listBlocks(head, page);
        return { blocks: ReadyJson.list(blocks), count, success: true };
      };
      return this.blocks.isBounded(page) ? make : inPlaces('lists', make);
    }),
  ];
}
