import { Injectable } from '@nestjs/common';
import { heightsForSlots, roundOf } from '@roundhouse/chain';
import {
  ReadyJson,
  type ChainStatusResponseDto,
  type StatusDelegatesQueryDto,
  type StatusDelegatesResponseDto,
} from '@roundhouse/dto';
import { BlocksReader, RankedDelegatesReader, RoundsReader } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { boundariesOf, currentRoundOf, pastRoundOf, pastRounds, Slots } from './rounds-of.js';

const NEWEST_BLOCKS = 20;

/** Where and when the chain has ended; null while it lives. */
export const endOf = ({ end, head, constants }: ChainView): ChainStatusResponseDto['ended'] =>
  end && {
    height: head.height,
    id: head.id,
    forgedAt: new Date(Date.parse(constants.epoch) + head.timestamp * 1000).toISOString(),
    provenAt: end.provenAt && end.provenAt.toISOString(),
  };

/** Makes a value once per basis, even if many callers want it, and drops the value of the previous basis. */
class OncePerBasis<T> {
  private newest: { readonly basis: object; readonly made: Promise<T> } | undefined;

  get(basis: object, make: () => Promise<T>): Promise<T> {
    if (this.newest?.basis === basis) return this.newest.made;
    const made = make();
    this.newest = { basis, made };
    // After a failure, the next call tries again.
    made.catch(() => {
      if (this.newest?.made === made) this.newest = undefined;
    });
    return made;
  }
}

@Injectable()
export class StatusService {
  /** The answer also changes with the node's height; these parts do not. */
  private readonly fromTables = new OncePerBasis<Awaited<ReturnType<StatusService['read']>>>();

  constructor(
    private readonly blocks: BlocksReader,
    private readonly rounds: RoundsReader,
    private readonly delegates: RankedDelegatesReader,
  ) {}

  async getStatus(chain: ChainView): Promise<ChainStatusResponseDto> {
    const { height, id, timestamp, supply, indexedAtUs } = chain.head;
    const { nethash, token, symbol, explorer, pubKeyHash: version, name } = chain.network;
    const { epoch, blocktime, activeDelegates, reward } = chain.constants;
    return {
      height,
      id,
      timestamp,
      supply,
      indexedAt: new Date(Number(indexedAtUs / 1000n)).toISOString(),
      sourceHeight: chain.sourceHeight,
      ended: endOf(chain),
      network: { nethash, token, symbol, explorer, version, name, epoch, blocktime, activeDelegates, reward },
      ...(await this.fromTables.get(chain.basis, () => this.read(chain))),
    };
  }

  async listDelegates(
    { head, milestones }: ChainView,
    { q, username, publicKey, orderBy, limit, offset }: StatusDelegatesQueryDto,
  ): Promise<StatusDelegatesResponseDto> {
    const { round } = roundOf(milestones, head.height + 1);
    const answer = (count: number, delegates: string): StatusDelegatesResponseDto => ({
      height: head.height,
      id: head.id,
      count,
      delegates: ReadyJson.list(delegates),
      success: true,
    });
    if (username !== undefined || publicKey !== undefined) {
      const found = await this.delegates.findDelegate(head, round, { publicKey, username });
      return answer(found === '' ? 0 : 1, offset === 0 ? found : '');
    }
    const { column: sort, direction } = orderBy;
    const page = { sort, direction, limit, offset };
    const found = await this.delegates.listDelegates(head, round, page, q);
    return answer(found.count ?? head.delegateCount, found.delegates);
  }

  private async read({ head, milestones }: ChainView) {
    const round = roundOf(milestones, head.height + 1);
    const past = pastRounds(milestones, round.firstHeight);
    const heights = new Set([
      ...heightsForSlots(milestones, head.height),
      ...past.flatMap(boundariesOf),
      ...boundariesOf(round).slice(0, 1),
      head.height,
    ]);
    const [state, active, blocks] = await Promise.all([
      this.rounds.findState(head, round.round, round.firstHeight, [...heights]),
      this.delegates.listActive(head, round.round),
      this.blocks.listNewest(head, head.height - NEWEST_BLOCKS + 1),
    ]);
    if (!state) throw new Error(`Round ${round.round} has no row, although the head is ${head.height}.`);
    const slots = new Slots(milestones, state.timestamps);
    return {
      lastEventId: state.lastEventId,
      round: currentRoundOf(slots, round, state, head.height),
      rounds: past.map((each) => pastRoundOf(slots, each)),
      delegateCount: head.delegateCount,
      totalWeight: active.totalWeight,
      delegates: ReadyJson.list(active.delegates),
      blocks: ReadyJson.list(blocks),
      success: true as const,
    };
  }
}
