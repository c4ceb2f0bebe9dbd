/** How the programs run that a plan disturbs. */
export interface StackPlan {
  readonly seed: number;
  readonly queues: 'redis' | 'postgres';
  readonly verify: 'hash' | 'full';
  readonly history: 'full' | 'off';
  /** The node's addresses that the indexers use; one of them may misbehave. */
  readonly sources: 'one' | 'two, the first misbehaves' | 'two, the second misbehaves';
  /** The largest number of blocks in one commit. */
  readonly batchBlocks: number;
}

/** The length of the chain when the programs start. */
export const FIRST_HEIGHT = 20;
