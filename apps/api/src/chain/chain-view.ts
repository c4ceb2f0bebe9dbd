import type { ChainConstants, MilestoneSchedule, Network } from '@roundhouse/chain';
import type { ChainState, HeadRecord, NetworkRecord } from '@roundhouse/readers';
import { NotReadyError } from './not-ready.error.js';

/** The head, the network and the node's height in one snapshot. Every answer is made from one view. */
export class ChainView {
  /**
   * @param basis the same object as long as head and network stay the same
   * @param sequence grows with each basis
   */
  constructor(
    private readonly state: ChainState,
    readonly basis: object,
    readonly sequence: number,
  ) {}

  get headOrNull(): HeadRecord | null {
    return this.state.head;
  }

  get sourceHeight(): number | null {
    return this.state.sourceHeight;
  }

  /** Whether the node has been silent for so long that its height counts as unknown. */
  get isSourceSilent(): boolean {
    return this.state.sourceSilentSeconds > 0;
  }

  /** Throws `NotReadyError` before the first block. */
  get head(): HeadRecord {
    if (!this.state.head) throw new NotReadyError('No block is indexed yet; try again in a moment.');
    return this.state.head;
  }

  /** Throws `NotReadyError` while the network is unknown. */
  get network(): Network {
    return this.networkRecord.network;
  }

  get milestones(): MilestoneSchedule {
    return this.networkRecord.milestones;
  }

  /** The constants in force at the head. */
  get constants(): ChainConstants {
    return this.milestones.at(this.head.height);
  }

  /** Whether `state` has the same head and network as this view. */
  hasBasisOf({ head, network }: ChainState): boolean {
    const own = this.state;
    return (
      own.network?.version === network?.version &&
      own.head?.height === head?.height &&
      own.head?.id === head?.id &&
      own.head?.revision === head?.revision &&
      own.head?.indexedAtUs === head?.indexedAtUs
    );
  }

  private get networkRecord(): NetworkRecord {
    const { network } = this.state;
    if (!network) throw new NotReadyError('The network is not known yet; try again in a moment.');
    return network;
  }
}
