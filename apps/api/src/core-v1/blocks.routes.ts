import { Injectable } from '@nestjs/common';
import { ReadyJson } from '@roundhouse/dto';
import {
  refuse,
  required,
  text,
  type NodeBlock,
  type NodeFee,
  type NodeFees,
  type NodeStatus,
} from '@roundhouse/dto/core-v1';
import { NodeBlocksReader } from '@roundhouse/readers';
import { milestoneOf } from '../blocks/chain-constants.controller.js';
import type { ChainView } from '../chain/chain-view.js';
import { route, type RouteGroup } from './core-v1-route.js';

const feesOf = ({ constants: { staticFees } }: ChainView): NodeFees => ({
  fees: {
    send: staticFees.transfer,
    secondsignature: staticFees.secondSignature,
    delegate: staticFees.delegateRegistration,
    ...(staticFees.vote !== undefined && { vote: staticFees.vote }),
    ...(staticFees.multiSignature !== undefined && { multisignature: staticFees.multiSignature }),
  },
  success: true,
});

const heightOf = ({ head: { height, id } }: ChainView) => ({ height, id, success: true });

const statusOf = (chain: ChainView): NodeStatus => ({
  epoch: chain.constants.epoch,
  height: chain.head.height,
  fee: chain.constants.staticFees.transfer,
  milestone: milestoneOf(chain),
  nethash: chain.network.nethash,
  reward: chain.constants.reward,
  // The node counts the rewards up to the block before.
  supply: chain.head.supply - chain.constants.reward,
  success: true,
});

/** One block, and the chain's constants. */
@Injectable()
export class BlocksRoutes implements RouteGroup {
  constructor(private readonly blocks: NodeBlocksReader) {}

  readonly routes = [
    route('blocks/get', { rules: { id: required(text({ shortest: 1 })) } }, ({ id }) => async ({ head }) => {
      const block = await this.blocks.findBlock(head, id);
      if (block === '') throw refuse(`Block with id ${id} not found`);
      return { block: new ReadyJson(block), success: true } satisfies NodeBlock;
    }),
    route('blocks/getEpoch', {}, () => ({ constants }) => ({ epoch: constants.epoch, success: true })),
    // Both spellings are routes of a node.
    route('blocks/getHeight', {}, () => heightOf),
    route('blocks/getheight', {}, () => heightOf),
    route('blocks/getNethash', {}, () => ({ network }) => ({ nethash: network.nethash, success: true })),
    route('blocks/getFee', {}, () => ({ constants }): NodeFee => ({
      fee: constants.staticFees.transfer,
      success: true,
    })),
    route('blocks/getFees', {}, () => feesOf),
    route('blocks/getfees', {}, () => feesOf),
    route('blocks/getMilestone', {}, () => (chain) => ({ milestone: milestoneOf(chain), success: true })),
    route('blocks/getReward', {}, () => ({ constants }) => ({ reward: constants.reward, success: true })),
    route('blocks/getSupply', {}, () => ({ head }) => ({ supply: head.supply, success: true })),
    route('blocks/getStatus', {}, () => statusOf),
  ];
}
