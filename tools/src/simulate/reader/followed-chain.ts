import type { ChainEvent, ForkEvent, HeadEvent } from '@roundhouse/client';
import type { Claim } from './inspection.js';

interface Head {
  readonly height: number;
  readonly id: string;
}

/** The chain that a client of /events knows: it adds each head, and undoes what a fork undoes. */
export class FollowedChain {
  readonly problems: string[] = [];
  readonly claims: Claim[] = [];
  private lastId = 0n;
  /** The received heads that are still valid, the newest last. */
  private heads: Head[] = [];

  get head(): Head | null {
    return this.heads.at(-1) ?? null;
  }

  take(event: ChainEvent): void {
    if (event.id !== null) this.takeId(BigInt(event.id), event.type);
    if (event.type === 'head') this.takeHead(event.data);
    else if (event.type === 'fork') this.takeFork(event.data);
    else if (event.type === 'reset') this.heads = [];
  }

  private takeId(id: bigint, type: string): void {
    if (id <= this.lastId) this.problem(`${type} has id ${id} after ${this.lastId}`);
    this.lastId = id;
  }

  private takeHead({ height, id, blocks, forged, reward, totalFee }: HeadEvent['data']): void {
    const head = { height, id };
    const before = this.head;
    if (before !== null && head.height !== before.height + blocks) {
      this.problem(`a head of height ${head.height} came ${blocks} blocks after ${before.height}`);
    }
    if (forged !== reward + totalFee)
      this.problem(`the head of height ${height} forged ${forged}, which is not its reward and fees`);
    this.claims.push({
      sentence: `/events: no branch has block ${head.id} at height ${head.height}`,
      holds: (tree) => tree.has(head.id, head.height),
    });
    if (before !== null) {
      this.claims.push({
        sentence: `/events: the head ${head.height} ${head.id} does not link to ${before.height} ${before.id}, and no fork was announced`,
        holds: (tree) => tree.standsOn(head.id, before.id),
      });
    }
    if (blocks === 0) this.heads.pop();
    this.heads.push(head);
  }

  private takeFork({ commonHeight, commonId, from }: ForkEvent['data']): void {
    const { head } = this;
    if (head !== null && from.id !== head.id) {
      this.problem(`a fork from ${from.height} ${from.id}, but the head was ${head.height} ${head.id}`);
    }
    const standing = this.heads.filter(({ height }) => height <= commonHeight);
    const same = standing.find(({ height }) => height === commonHeight);
    if (same && same.id !== commonId) {
      this.problem(`a fork down to ${commonHeight} ${commonId}, but block ${commonHeight} was ${same.id}`);
    }
    this.heads = [...standing.filter((each) => each !== same), { height: commonHeight, id: commonId }];
  }

  private problem(sentence: string): void {
    this.problems.push(`/events: ${sentence}`);
  }
}
