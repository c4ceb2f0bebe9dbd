import type { Random } from '../plan/random.js';
import type { World } from '../world/world.js';

/** What a disturbance takes hold of: two that hold the same are not made at once. */
export type Hold = 'node' | 'indexers' | 'api' | 'postgres' | 'redis' | 'clocks';

export interface Disturbance {
  /** As it stands in the plan and in the output, with all its parameters. */
  readonly line: string;
  readonly hold: Hold;
  /** Makes it and undoes it: afterwards everything runs again, if not recovered yet. */
  readonly run: (world: World) => Promise<void>;
}

/** What is known of the chain when the disturbance will be made. */
export interface Circumstances {
  readonly height: number;
}

/** Draws the parameters of one disturbance; everything that varies comes from `random`. */
export type Draw = (random: Random, circumstances: Circumstances) => Disturbance;
