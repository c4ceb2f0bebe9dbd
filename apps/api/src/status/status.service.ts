import { Injectable } from '@nestjs/common';
import { heightsForSlots, roundOf } from '@roundhouse/chain';
import { ReadyJson, type ChainStatusResponseDto } from '@roundhouse/dto';
import { StatusReader } from '@roundhouse/storage';
import type { ChainView } from '../chain/chain-view.js';
import { OncePerBasis } from '../chain/once-per-basis.js';
import { boundariesOf, currentRoundOf, pastRoundOf, pastRounds, Slots } from './rounds-of.js';

const NEWEST_BLOCKS = 20;

type FromTables = Pick<
  ChainStatusResponseDto,
  'lastEventId' | 'round' | 'rounds' | 'delegates' | 'blocks' | 'success'
>;

@Injectable()
export class StatusService {
  /** The answer also changes with the node's height; these parts do not. */
  private readonly fromTables = new OncePerBasis<FromTables>();

  constructor(private readonly reader: StatusReader) {}

  async getStatus(chain: ChainView): Promise<ChainStatusResponseDto> {
    const { head, network, constants } = chain;
    return {
      height: head.height,
      id: head.id,
      timestamp: head.timestamp,
      supply: head.supply,
      indexedAt: new Date(Number(head.indexedAtUs / 1000n)).toISOString(),
      sourceHeight: chain.sourceHeight,
      network: {
        nethash: network.nethash,
        token: network.token,
        symbol: network.symbol,
        explorer: network.explorer,
        version: network.pubKeyHash,
        name: network.name,
        epoch: constants.epoch,
        blocktime: constants.blocktime,
        activeDelegates: constants.activeDelegates,
        reward: constants.reward,
      },
      ...(await this.fromTables.get(chain.basis, () => this.read(chain))),
    };
  }

  private async read({ head, milestones }: ChainView): Promise<FromTables> {
    const round = roundOf(milestones, head.height + 1);
    const past = pastRounds(milestones, round.firstHeight);
    const heights = new Set([
      ...heightsForSlots(milestones, head.height),
      ...past.flatMap(boundariesOf),
      ...boundariesOf(round).slice(0, 1),
      head.height,
    ]);
    const [state, delegates, blocks] = await Promise.all([
      this.reader.findRound(head, round.round, round.firstHeight, [...heights]),
      this.reader.listDelegates(head, round.round),
      this.reader.listBlocks(head, head.height - NEWEST_BLOCKS + 1),
    ]);
    if (!state) throw new Error(`Round ${round.round} has no row, although the head is ${head.height}.`);
    const slots = new Slots(milestones, state.timestamps);
    return {
      lastEventId: state.lastEventId,
      round: currentRoundOf(slots, round, state, head.height),
      rounds: past.map((each) => pastRoundOf(slots, each)),
      delegates: ReadyJson.list(delegates),
      blocks: ReadyJson.list(blocks),
      success: true,
    };
  }
}
