import { Param, Query } from '@nestjs/common';
import { CORE_ANSWERS, coreMemoryList, DELEGATE, many, notFound, one } from '@roundhouse/dto/core-v2';
import { BY_RANK, CoreBlocksReader, CoreDelegatesReader, CoreWalletsReader } from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import { blocksAnswer, BlocksQuery, NEWEST_BLOCKS } from './blocks.controller.js';
import { CoreV2Controller, IndexedGet, Pathname } from './core-v2.decorators.js';
import { memoryAnswer, memoryPageOf, pageOf, placesOf } from './list-answer.js';
import { shownDelegate, shownWallet } from './memory-resources.js';
import { WalletFinder } from './wallet-finder.js';
import { BY_BALANCE, WalletPath, WalletsQuery } from './wallets.controller.js';

class DelegatesQuery extends coreMemoryList(DELEGATE) {}

/** The only criteria that a node heeds in a delegate's list of blocks, although it checks all. */
const HEEDED = ['id', 'height', 'timestamp'];

@CoreV2Controller('delegates')
export class DelegatesController {
  constructor(
    private readonly delegates: CoreDelegatesReader,
    private readonly wallets: CoreWalletsReader,
    private readonly blocks: CoreBlocksReader,
    private readonly finder: WalletFinder,
  ) {}

  @IndexedGet('', 'Delegates.', many('CoreDelegate'))
  listDelegates(@Query() query: DelegatesQuery, @Pathname() pathname: string): MakeContent<object> {
    const places = placesOf(this.delegates, memoryPageOf(query, BY_RANK));
    return made({ places, key: pathname }, (chain) =>
      memoryAnswer(this.delegates, query, BY_RANK, pathname, chain, shownDelegate),
    );
  }

  @IndexedGet(':id', 'A delegate, by its name, address or public key.', one('CoreDelegate'))
  getDelegate(@Param() { id }: WalletPath): MakeContent<object> {
    return async (chain) => {
      const wallet = await this.finder.find(chain, id);
      const delegate = await this.delegates.findDelegate(chain.head, wallet.id);
      if (!delegate) throw notFound('Delegate');
      return { data: shownDelegate(delegate, chain) };
    };
  }

  @IndexedGet(':id/voters', 'The wallets that vote for a delegate.', many('CoreWallet'))
  listVoters(@Query() query: WalletsQuery, @Param() { id }: WalletPath, @Pathname() pathname: string) {
    return made({ places: 'lists', key: pathname }, async (chain) => {
      const publicKey = await this.finder.findDelegateKey(chain, id);
      return memoryAnswer(this.wallets, query, BY_BALANCE, pathname, chain, shownWallet, publicKey);
    });
  }

  @IndexedGet(':id/blocks', 'The blocks that a delegate forged.', CORE_ANSWERS.blocks)
  listBlocks(@Query() query: BlocksQuery, @Param() { id }: WalletPath, @Pathname() pathname: string) {
    const { criteria, ...page } = pageOf(query, NEWEST_BLOCKS);
    const heeded = Object.fromEntries(Object.entries(criteria).filter(([name]) => HEEDED.includes(name)));
    const pageBy = (generator: string) => ({
      ...page,
      criteria: { ...heeded, generatorPublicKey: [generator] },
    });
    return made({ places: placesOf(this.blocks, pageBy(id)), key: pathname }, async (chain) => {
      const page = pageBy(await this.finder.findDelegateKey(chain, id));
      return blocksAnswer(this.blocks, query, pathname, chain, page);
    });
  }
}
