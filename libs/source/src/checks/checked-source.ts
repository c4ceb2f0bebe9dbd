import {
  assertLinked,
  checkBlock,
  InvalidBlockError,
  isExcepted,
  MilestoneSchedule,
  verifyBlockSignature,
  type Block,
  type BlockRef,
  type Network,
} from '@roundhouse/chain';
import type { BlockSource } from '../block-source.js';
import { NodeProtocolError } from '../errors/node-errors.js';
import { SourceConfigError } from '../errors/source-config.error.js';
import type { AgreedNetwork } from './agreed-network.js';

/** `hash`: links, ids, payload hashes and totals; `full`: block signatures as well. */
export type Verification = 'hash' | 'full';

interface Rules {
  readonly network: Network;
  readonly milestones: MilestoneSchedule;
}

/**
 * A source whose blocks are checked, each range as a whole: nothing of a range with one wrong block gets out. Insists
 * that the source is on the agreed network before it gives the first block.
 */
export class CheckedSource implements BlockSource {
  private rules: Rules | null = null;

  constructor(
    private readonly source: BlockSource,
    private readonly agreed: AgreedNetwork,
    private readonly verification: Verification,
  ) {}

  get name(): string {
    return this.source.name;
  }

  async network(): Promise<Network | null> {
    if (this.rules) return this.rules.network;
    const told = await this.source.network();
    const network = this.agreed.agree(told, this.name);
    if (network === null) return null;
    if (told === null) await this.assertSameGenesis(network);
    this.rules = { network, milestones: new MilestoneSchedule(network.milestones) };
    return network;
  }

  tip(): Promise<BlockRef> {
    return this.source.tip();
  }

  blockIdAt(height: number): Promise<string | null> {
    return this.source.blockIdAt(height);
  }

  async blocks(from: number, to: number): Promise<Block[]> {
    const rules = await this.getRules();
    const received = await this.source.blocks(from, to);
    const first = received[0];
    let previous: BlockRef | null =
      first === undefined || from === 1 ? null : { height: from - 1, id: first.previousBlock };
    const checked: Block[] = [];
    for (const block of received) {
      checked.push(this.check(block, previous, rules));
      previous = block;
    }
    if (this.verification === 'full') await this.verifySignatures(checked, rules);
    return checked;
  }

  close(): Promise<void> {
    return this.source.close();
  }

  private async getRules(): Promise<Rules> {
    if ((await this.network()) === null) throw new SourceConfigError(networkIsMissing(this.name));
    return this.rules!;
  }

  private async assertSameGenesis({ name, nethash }: Network): Promise<void> {
    const [genesis] = await this.source.blocks(1, 1);
    if (genesis === undefined || genesis.payloadHash === nethash) return;
    throw new NodeProtocolError(
      this.name,
      `${this.name} holds another chain: its genesis block's payloadHash is ${genesis.payloadHash}, but the nethash of ` +
        `${name} is ${nethash}. Mend NETWORK or BLOCK_SOURCE.`,
      { height: 1 },
    );
  }

  private check(block: Block, previous: BlockRef | null, { network, milestones }: Rules): Block {
    const { nethash, exceptions } = network;
    try {
      assertLinked(block, previous);
      return checkBlock(block, { nethash, exceptions, constants: milestones.at(block.height) });
    } catch (error) {
      throw error instanceof InvalidBlockError ? this.refuse(block, error.message, error) : error;
    }
  }

  private async verifySignatures(blocks: readonly Block[], { network }: Rules): Promise<void> {
    const verdicts = await Promise.all(blocks.map((block) => verifyBlockSignature(block)));
    const wrong = blocks.find((block, index) => !verdicts[index] && !isExcepted(block, network.exceptions));
    if (wrong) throw this.refuse(wrong, `its blockSignature is not by its generator ${wrong.generatorPublicKey}`);
  }

  private refuse(block: Block, problem: string, cause?: unknown): NodeProtocolError {
    return new NodeProtocolError(
      this.name,
      `Block ${block.height} from ${this.name}: ${problem}. Nothing of the range was stored. Compare the block with ` +
        `another node's; if they agree, check NETWORK (its milestones and exceptions), otherwise take another BLOCK_SOURCE.`,
      { cause, height: block.height },
    );
  }
}

export const networkIsMissing = (source: string): string =>
  `${source} cannot tell which chain it has: set NETWORK to mainnet, devnet, testnet or the path of a network configuration.`;
