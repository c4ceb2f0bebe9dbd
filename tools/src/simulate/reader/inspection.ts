import type { Answer, Fields } from './answer.js';
import type { BlockTree } from './block-tree.js';

/**
 * A statement that only the node can confirm. It is checked once the tree contains all blocks that the node has
 * shown.
 */
export interface Claim {
  readonly sentence: string;
  readonly holds: (tree: BlockTree) => boolean;
}

/** Collects the problems of one answer, and its claims about the chain. */
export class Inspection {
  readonly problems: string[] = [];
  readonly claims: Claim[] = [];
  readonly body: Fields;
  /** The height of the answer's head; NaN if the answer does not say. */
  readonly headHeight: number;

  constructor(readonly answer: Answer) {
    this.body = answer.body ?? {};
    this.headHeight = answer.chainHeight ?? NaN;
  }

  expect(isRight: boolean, problem: string): void {
    if (!isRight) this.problems.push(`${this.answer.url}: ${problem}`);
  }

  equal(what: string, found: unknown, expected: unknown): void {
    this.expect(found === expected, `${what} is ${String(found)}, but ${String(expected)} is right`);
  }

  claim(sentence: string, holds: Claim['holds']): void {
    this.claims.push({ sentence: `${this.answer.url}: ${sentence}`, holds });
  }

  /** Claims that the node has or had this block at this height. */
  claimBlock(height: unknown, id: unknown): void {
    this.claim(`no branch has block ${String(id)} at height ${String(height)}`, (tree) =>
      tree.has(String(id), Number(height)),
    );
  }

  /** Claims that a statement is true of one of the possible heads at this height. */
  claimOfHead(sentence: string, isTrueOf: (tree: BlockTree, headId: string) => boolean): void {
    const { headHeight } = this;
    this.claim(`${sentence} on no branch at height ${headHeight}`, (tree) =>
      tree.headsAt(headHeight).some((id) => isTrueOf(tree, id)),
    );
  }

  list(name: string): readonly Fields[] {
    const value = this.body[name];
    if (Array.isArray(value)) return value as Fields[];
    this.expect(false, `${name} is not a list`);
    return [];
  }
}

/** An amount or a count of the api, which must be a whole number. */
export const whole = (value: unknown): bigint | null => {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : null;
};
