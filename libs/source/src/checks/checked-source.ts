import type { Block, BlockRef, Network } from '@roundhouse/chain';
import type { BlockSource, ProblemOf, RawSource } from '../block-source.js';
import { NodeProtocolError } from '../errors/node-errors.js';
import { SourceConfigError } from '../errors/source-config.error.js';
import type { AgreedNetwork } from './agreed-network.js';
import type { Verification } from './block-checker.js';
import { networkIsMissing, SourceNetwork, type Announcement, type KnownSource } from './source-network.js';
import { UnkeptClaim, type BrokenClaim } from './unkept-claim.js';

/**
 * A source whose blocks are checked. A range that contains a wrong block is refused as a whole. The source must be
 * on the agreed network before it is used.
 */
export class CheckedSource implements BlockSource {
  readonly name: string;
  private readonly problemsOf: ProblemOf[] = [];
  /** The height that the source announced last. */
  private claimed = 0;
  /** Null until the source has lacked a block that it announced. */
  private claim: UnkeptClaim | null = null;
  private readonly rules: SourceNetwork;
  private known: KnownSource | null = null;
  /** Whether a request has failed since. */
  private isDoubted = false;
  /** The decoder of the segments checks their blocks. */
  readonly segments: BlockSource['segments'];

  constructor(
    private readonly source: RawSource,
    agreed: AgreedNetwork,
    verification: Verification,
    private readonly onBrokenClaim: (claim: BrokenClaim) => void = () => undefined,
    onAnnouncedRules: (announcement: Announcement) => void = () => undefined,
  ) {
    this.name = source.name;
    this.rules = new SourceNetwork(source, agreed, verification, onAnnouncedRules);
    this.segments = source.segments?.bind(source);
  }

  async network(): Promise<Network | null> {
    if (this.known === null || this.isDoubted || performance.now() >= this.known.askAgainAt) {
      this.known = await this.rules.ask();
      this.isDoubted = false;
    }
    return this.known?.network ?? null;
  }

  /**
   * Returns the newest block that the source announces. If it has not returned the blocks up to there, returns the
   * last one that it did return.
   */
  tip(): Promise<BlockRef> {
    return this.onItsNetwork(async () => {
      const tip = await this.source.tip();
      this.claimed = tip.height;
      return this.claim === null ? tip : this.claim.tipOf(tip, (from, to) => this.read(from, to));
    });
  }

  blockAt(height: number): Promise<Block | null> {
    return this.onItsNetwork(async () => {
      const [block] = await this.read(height, height);
      if (block === undefined) return null;
      this.rulesNow().checker.verifySignatures([block]);
      return block;
    });
  }

  blocks(from: number, to: number): Promise<Block[]> {
    return this.onItsNetwork(async () => {
      const blocks = await this.read(from, to);
      const { checker } = this.rulesNow();
      if (checker.verifiesSignatures) checker.verifySignatures(blocks);
      return blocks;
    });
  }

  distrust(problemOf: ProblemOf): void {
    this.problemsOf.push(problemOf);
  }

  close(): Promise<void> {
    return this.source.close();
  }

  private async onItsNetwork<T>(request: () => Promise<T>): Promise<T> {
    try {
      await this.network();
      return await request();
    } catch (error) {
      this.isDoubted = true;
      throw error;
    }
  }

  /** Throws `SourceConfigError` if the network is unknown. */
  private rulesNow(): KnownSource {
    if (this.known === null) throw new SourceConfigError(networkIsMissing(this.name));
    return this.known;
  }

  /** Checks everything except signatures. Refuses blocks from the first announced rule on. */
  private async read(from: number, to: number): Promise<Block[]> {
    const known = this.rulesNow();
    const { announced } = known;
    if (announced !== null && to >= announced.from)
      throw new NodeProtocolError(this.name, announced.reason, { height: Math.max(from, announced.from) });
    const blocks = await this.check(await this.source.blocks(from, to), from, known);
    for (const block of blocks)
      for (const problemOf of this.problemsOf) {
        const problem = problemOf(block);
        if (problem !== null) throw known.checker.refuse(block, problem);
      }
    const last = blocks.at(-1) ?? null;
    if (this.claim === null && (last?.height ?? from - 1) < Math.min(to, this.claimed)) {
      this.claim = new UnkeptClaim(this.name, this.onBrokenClaim);
      this.claim.claim(this.claimed);
    }
    this.claim?.gave(from, to, last);
    return blocks;
  }

  private async check(received: readonly Block[], from: number, known: KnownSource): Promise<Block[]> {
    try {
      return known.checker.check(received, from);
    } catch (error) {
      this.known = await this.rules.askForNewer(error, known.network);
      return this.known.checker.check(received, from);
    }
  }
}
