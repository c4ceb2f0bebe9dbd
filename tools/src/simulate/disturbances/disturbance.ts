import type { SeededRandom } from '@roundhouse/testing';
import type { World } from '../world/world.js';

/** What a disturbance affects. Two that affect the same thing never run at once. */
export type Hold = 'node' | 'indexers' | 'api' | 'postgres' | 'redis' | 'clocks';

export interface Disturbance {
  /** The line in the plan and in the output, with all parameters. */
  readonly line: string;
  readonly hold: Hold;
  /** Makes the disturbance and ends it. Afterwards everything runs again, but may not have recovered yet. */
  readonly run: (world: World) => Promise<void>;
}

/** What is known about the chain at the time of the disturbance. */
export interface Circumstances {
  readonly height: number;
}

/** Draws the parameters of one disturbance. Everything random comes from `random`. */
export type Draw = (random: SeededRandom, circumstances: Circumstances) => Disturbance;
