import { setTimeout as wait } from 'node:timers/promises';
import { untilServed, type SeededRandom } from '@roundhouse/testing';
import type { World } from '../world/world.js';
import { readAnswer, type Answer, type Fields } from './answer.js';
import type { BlockTree } from './block-tree.js';
import { Follower } from './follower.js';
import { checkAnyAnswer } from './checks/any-answer.js';
import { Inspection, type Claim } from './inspection.js';
import { drawQuestion, idsIn, type Known, type Question } from './questions.js';
import { SameHead } from './same-head.js';

const READERS = 2;
const BETWEEN_MS = 15;
const AFTER_CUT_OFF_MS = 100;
/** Far above all time limits of the api. */
const TIMEOUT_MS = 20_000;
const MOST_IDS = 300;
const FOLLOWER_MS = 20_000;

export interface ReaderCounts {
  readonly answers: number;
  /** The number of answers by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Requests that failed because the api was killed or paused. */
  readonly cutOff: number;
  /** Events that a client of /events received. */
  readonly events: number;
}

/** Queries the api during the whole run and checks every answer. */
export class Reader {
  readonly problems: string[] = [];
  private readonly statuses: Record<number, number> = {};
  private cutOff = 0;
  private readonly follower: Follower;
  private claims: Claim[] = [];
  private readonly sameHead = new SameHead();
  private readonly stopping = new AbortController();
  private readonly ids: string[] = [];
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly world: World,
    private readonly random: SeededRandom,
  ) {
    this.follower = new Follower(world.apiUrl);
  }

  get counts(): ReaderCounts {
    const { statuses, cutOff } = this;
    const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    return { answers, statuses, cutOff, events: this.follower.events };
  }

  /** Starts once the api has answered with the values that questions need. */
  async start(): Promise<void> {
    const known = await this.learn();
    const { signal } = this.stopping;
    const read = async (): Promise<void> => {
      while (!signal.aborted) {
        await this.ask(drawQuestion(this.random, known));
        await wait(BETWEEN_MS);
      }
    };
    this.follower.start();
    this.running = Promise.all(Array.from({ length: READERS }, read));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.running, this.follower.stop()]);
  }

  /** Call this when the tree contains all blocks that the node has shown so far. */
  settleClaims(tree: BlockTree): void {
    const { chain } = this.follower;
    this.problems.push(...chain.problems.splice(0));
    const claims = [...this.claims, ...chain.claims.splice(0)];
    this.claims = [];
    for (const { sentence, holds } of claims) if (!holds(tree)) this.problems.push(sentence);
  }

  /** Waits until the client of /events has also reached this head. Returns the problem, or null. */
  async followerCatchesUp({ height, id }: { readonly height: number; readonly id: string }) {
    const deadline = performance.now() + FOLLOWER_MS;
    while (this.follower.chain.head?.id !== id && performance.now() < deadline) await wait(50);
    const { head } = this.follower.chain;
    if (head?.id === id) return null;
    return `/events: a client ends with the head ${head?.height} ${head?.id}, but the newest block is ${height} ${id}`;
  }

  private async learn(): Promise<Known> {
    const body = async (path: string): Promise<Fields> => {
      const answer = await untilServed(() => this.get(path));
      if (answer.body === null) throw new Error(`${path} was answered with ${answer.status}: ${answer.text}`);
      return answer.body;
    };
    const { delegates } = await body('/api/delegates?limit=100');
    const { supply } = await body('/api/blocks/getSupply');
    this.ids.push(...idsIn(await body('/api/blocks?limit=100')));
    const rewards = this.world.devnet.tree.rewardsUpTo(this.world.devnet.head.id);
    return {
      delegates: delegates as Known['delegates'],
      genesisSupply: BigInt(supply as number | bigint) - rewards,
      ids: this.ids,
    };
  }

  private async ask({ url, check, isOfNode = false }: Question): Promise<void> {
    const startedAt = performance.now();
    let answer: Answer;
    try {
      answer = await this.get(url);
    } catch (error) {
      // Killing or freezing a server cuts off its clients.
      if (this.world.api.isWellSince(startedAt)) this.problems.push(`${url}: ${describe(error)}`);
      else this.cutOff += 1;
      await wait(AFTER_CUT_OFF_MS);
      return;
    }
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
    this.ids.push(...idsIn(answer.body).slice(0, 3));
    this.ids.splice(0, Math.max(this.ids.length - MOST_IDS, 0));
    const seen = new Inspection(answer);
    if (checkAnyAnswer(seen)) check(seen);
    const twofold = isOfNode ? null : this.sameHead.check(answer);
    this.problems.push(...seen.problems, ...(twofold === null ? [] : [twofold]));
    this.claims.push(...seen.claims);
  }

  private async get(url: string): Promise<Answer> {
    const response = await fetch(this.world.apiUrl + url, {
      headers: { 'API-Version': '1' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return readAnswer(url, response.status, response.headers, await response.text());
  }
}

const describe = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
};
