import type { Block, BlockRef, Network } from '@roundhouse/chain';
import type { BlockSource } from '../block-source.js';
import { NodeProtocolError } from '../errors/node-errors.js';
import { SourceConfigError } from '../errors/source-config.error.js';
import type { AgreedNetwork } from './agreed-network.js';
import { BlockChecker, type Verification } from './block-checker.js';

/**
 * A source whose blocks are checked, each range as a whole: nothing of a range with one wrong block gets out. Insists
 * that the source is on the agreed network before it gives the first block.
 */
export class CheckedSource implements BlockSource {
  private checked: { readonly network: Network; readonly checker: BlockChecker } | null = null;

  constructor(
    private readonly source: BlockSource,
    private readonly agreed: AgreedNetwork,
    private readonly verification: Verification,
  ) {}

  get name(): string {
    return this.source.name;
  }

  async network(): Promise<Network | null> {
    if (this.checked) return this.checked.network;
    const told = await this.source.network();
    const network = this.agreed.agree(told, this.name);
    if (network === null) return null;
    if (told === null) await this.assertSameGenesis(network);
    this.checked = { network, checker: new BlockChecker(this.name, network, this.verification) };
    return network;
  }

  tip(): Promise<BlockRef> {
    return this.source.tip();
  }

  blockIdAt(height: number): Promise<string | null> {
    return this.source.blockIdAt(height);
  }

  async blocks(from: number, to: number): Promise<Block[]> {
    const checker = await this.getChecker();
    return checker.check(await this.source.blocks(from, to), from);
  }

  /** Whoever decodes the segments checks their blocks. */
  get segments(): BlockSource['segments'] {
    const { source } = this;
    return source.segments && ((from) => source.segments!(from));
  }

  close(): Promise<void> {
    return this.source.close();
  }

  private async getChecker(): Promise<BlockChecker> {
    if ((await this.network()) === null) throw new SourceConfigError(networkIsMissing(this.name));
    return this.checked!.checker;
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
}

export const networkIsMissing = (source: string): string =>
  `${source} cannot tell which chain it has: set NETWORK to mainnet, devnet, testnet or the path of a network configuration.`;
