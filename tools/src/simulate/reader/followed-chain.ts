import { parse } from 'lossless-json';
import type { Fields } from './answer.js';
import type { StreamEvent } from './event-stream.js';
import { whole, type Claim } from './inspection.js';

interface Head {
  readonly height: number;
  readonly id: string;
}

const toNumber = (digits: string): number | bigint =>
  Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits);

/** The chain that a client of /events knows: it adds each head, and undoes what a fork undoes. */
export class FollowedChain {
  readonly problems: string[] = [];
  readonly claims: Claim[] = [];
  forks = 0;
  private lastId = 0n;
  /** The received heads that are still valid, the newest last. */
  private heads: Head[] = [];

  get head(): Head | null {
    return this.heads.at(-1) ?? null;
  }

  /** The id after which a new connection continues; null before the first event. */
  get lastEventId(): string | null {
    return this.lastId === 0n ? null : String(this.lastId);
  }

  take({ id, kind, data }: StreamEvent): void {
    if (id !== null) this.takeId(BigInt(id), kind);
    const fields = parse(data, undefined, toNumber) as Fields;
    if (kind === 'head') this.takeHead(fields);
    else if (kind === 'fork') this.takeFork(fields);
    else if (kind === 'reset') this.heads = [];
    else if (kind !== 'round') this.problem(`an event of the unknown kind ${kind}`);
  }

  private takeId(id: bigint, kind: string): void {
    if (id <= this.lastId) this.problem(`${kind} has id ${id} after ${this.lastId}`);
    this.lastId = id;
  }

  private takeHead(fields: Fields): void {
    const head = { height: Number(fields['height']), id: String(fields['id']) };
    const blocks = Number(fields['blocks']);
    const before = this.head;
    if (before !== null && head.height !== before.height + blocks) {
      this.problem(`a head of height ${head.height} came ${blocks} blocks after ${before.height}`);
    }
    if (whole(fields['forged']) !== whole(fields['reward'])! + whole(fields['totalFee'])!) {
      this.problem(
        `the head of height ${head.height} forged ${String(fields['forged'])}, which is not its reward and fees`,
      );
    }
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

  private takeFork(fields: Fields): void {
    const commonHeight = Number(fields['commonHeight']);
    const commonId = String(fields['commonId']);
    const from = fields['from'] as { readonly height: number; readonly id: string } | undefined;
    const { head } = this;
    this.forks += 1;
    if (head !== null && from?.id !== head.id) {
      this.problem(`a fork from ${from?.height} ${from?.id}, but the head was ${head.height} ${head.id}`);
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
