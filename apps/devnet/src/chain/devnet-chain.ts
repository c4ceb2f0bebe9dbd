import type { Block } from '@roundhouse/chain';
import {
  chainMaker,
  DEFAULT_OPTIONS,
  isLie,
  makeBlocks,
  type AnyLieName,
  type Breach,
  type ChainMaker,
  type ChainState,
  type ChainTiming,
  type Draft,
  type NetworkConfig,
} from '@roundhouse/forging';
import { DevnetError } from '../devnet.error.js';
import { BlockLog } from './block-log.js';
import { readRecord, type ChainRecord } from './chain-record.js';
import { chainPaths, createChain, type DevnetSettings } from './create-chain.js';
import { toBlock, toRawBlock, type RawBlock } from './raw-block.js';

/** Milliseconds since 1970. */
export type Clock = () => number;

const MS = 1000;

/** Small, because it only has to be different. */
const FOREIGN = { seed: 'a foreign network', accounts: 20, delegates: 51 };

const assertSame = (record: ChainRecord, { seed, blockTime, folder }: DevnetSettings): void => {
  if (record.seed !== seed || record.blockTime !== blockTime) {
    throw new DevnetError(
      `The chain in ${folder} was made with DEVNET_SEED=${record.seed} and DEVNET_BLOCK_TIME=${record.blockTime}. ` +
        'Use these values, or remove the folder to begin a new chain.',
    );
  }
};

/** The chain of `devnet run`: kept on disk, its state at the head in memory, and growing. */
export class DevnetChain {
  private current: ChainState;

  private constructor(
    private readonly maker: ChainMaker,
    readonly timing: ChainTiming,
    readonly log: BlockLog,
    state: ChainState,
    private readonly clock: Clock,
  ) {
    this.current = state;
  }

  /** Opens the chain in the folder, or creates one. Throws `DevnetError` if its seed or settings differ. */
  static open(maker: ChainMaker, settings: DevnetSettings, clock: Clock): DevnetChain {
    const paths = chainPaths(settings.folder);
    const record = readRecord(paths.record) ?? createChain(maker, settings, clock());
    assertSame(record, settings);
    const timing = { epoch: record.epoch, blockTime: record.blockTime };
    const state = maker.emptyState(timing);
    const log = BlockLog.open(paths.blocks, (block) => {
      if (block.height === 1 && block.id !== maker.genesis.id) {
        throw new DevnetError(
          `The chain in ${settings.folder} was made by another version of the devnet. Remove the folder to begin a new one.`,
        );
      }
      state.apply(toBlock(block));
    });
    const chain = new DevnetChain(maker, timing, log, state, clock);
    if (log.height === 0) chain.append(maker.genesis);
    return chain;
  }

  get state(): ChainState {
    return this.current;
  }

  get head(): RawBlock {
    return this.log.read(this.log.height);
  }

  /** A block in place of the head that breaks a rule, or that tells a lie. */
  unlawfulHead(breach: Breach | AnyLieName): RawBlock {
    const below = this.copy(this.log.height - 1);
    below.close();
    const { forge } = this.maker;
    const head = toBlock(this.head);
    return toRawBlock(
      isLie(breach) ? forge.lying(below.state, head, breach) : forge.unlawful(below.state, head, breach),
    );
  }

  /** The node's later blocks are those of a restarted node: right weights decide who forges them. */
  restartNode(): void {
    this.current.restartNode();
  }

  get network(): NetworkConfig {
    return this.maker.network(this.timing);
  }

  /** The current time in seconds since the epoch. */
  get now(): number {
    return Math.floor((this.clock() - Date.parse(this.timing.epoch)) / MS);
  }

  /** The current slot. */
  get currentSlot(): number {
    return Math.floor(this.now / this.timing.blockTime);
  }

  /** How long until the next slot begins, in milliseconds. */
  get untilNextSlotMs(): number {
    const start = Date.parse(this.timing.epoch) + (this.currentSlot + 1) * this.timing.blockTime * MS;
    return Math.max(start - this.clock(), 0);
  }

  /** Forges the block of the current slot. Null if the slot already has one or is missed. */
  forgeCurrentSlot(admit: (draft: Draft) => void): RawBlock | null {
    const slot = this.currentSlot;
    if (slot <= this.current.slot) return null;
    const block = this.maker.forge.forge(this.current, { slot, admit });
    return block && this.append(block);
  }

  /** Forges the next block at once, even ahead of the clock. */
  forgeNext(admit: (draft: Draft) => void): RawBlock {
    return this.append(this.maker.forge.forgeNext(this.current, { admit }));
  }

  /**
   * Creates a separate chain that begins with our first `height` blocks. `servedHead` replaces the last of them in
   * answers.
   */
  copy(height: number, { servedHead }: { servedHead?: RawBlock } = {}): DevnetChain {
    const state = this.maker.emptyState(this.timing);
    const copy = new DevnetChain(this.maker, this.timing, BlockLog.temporary(), state, this.clock);
    for (const block of this.log.blocks(1, height)) {
      state.apply(toBlock(block));
      copy.log.append(block.height === height && servedHead ? servedHead : block);
    }
    return copy;
  }

  /** A short chain of another network. */
  foreign(height: number): DevnetChain {
    const maker = chainMaker({ ...DEFAULT_OPTIONS, ...FOREIGN });
    const state = maker.emptyState(this.timing);
    const foreign = new DevnetChain(maker, this.timing, BlockLog.temporary(), state, this.clock);
    for (const block of makeBlocks(maker, state, height)) foreign.log.append(toRawBlock(block));
    return foreign;
  }

  /**
   * Replaces the newest `depth` blocks, or only the first `length` of them, with others in the same slots.
   * Transactions that clients had sent into them are lost. Throws `DevnetError` if the chain is too short.
   */
  fork(depth: number, length = depth): void {
    const common = this.log.height - depth;
    if (common < 1)
      throw new DevnetError(`The chain has ${this.log.height} blocks; the first of them stays.`);
    const replaced = [...this.log.blocks(common + 1, this.log.height)];
    const state = this.maker.emptyState(this.timing);
    for (const block of this.log.blocks(1, common)) state.apply(toBlock(block));
    this.log.truncate(common);
    this.current = state;
    for (const { id, timestamp } of replaced.slice(0, length)) {
      const slot = timestamp / this.timing.blockTime;
      const block = this.maker.forge.forge(this.current, { slot, branch: id, isMissed: false });
      if (block) this.append(block);
    }
  }

  close(): void {
    this.log.close();
  }

  private append(block: Block): RawBlock {
    this.current.apply(block);
    const raw = toRawBlock(block);
    this.log.append(raw);
    return raw;
  }
}
