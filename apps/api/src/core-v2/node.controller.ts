import { CoreBlocksReader, CoreTransactionsReader } from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { CoreGet, CoreV2Controller } from './core-v2.decorators.js';
import { POOL, NODE_VERSION } from './node-facts.js';
import { genesisTransaction, rawBlock } from './resources.js';

/** How many blocks the index lacks; 0 if the source's height is unknown. */
const missing = ({ head, sourceHeight }: ChainView): number => Math.max(0, (sourceHeight ?? 0) - head.height);

@CoreV2Controller('node')
export class NodeController {
  constructor(
    private readonly blocks: CoreBlocksReader,
    private readonly transactions: CoreTransactionsReader,
  ) {}

  @CoreGet('status')
  getStatus(): MakeContent<object> {
    // Its clock goes on while the head stays.
    return made({ isKept: false }, (chain) => ({
      data: {
        synced: missing(chain) === 0,
        now: chain.head.height,
        blocksCount: missing(chain),
        timestamp: Math.floor((Date.now() - Date.parse(chain.constants.epoch)) / 1000),
      },
    }));
  }

  @CoreGet('syncing', { followsSource: true })
  getSyncing(): MakeContent<object> {
    return (chain) => {
      const { height, id } = chain.head;
      return { data: { syncing: missing(chain) > 0, blocks: missing(chain), height, id } };
    };
  }

  @CoreGet('configuration')
  getConfiguration(): MakeContent<object> {
    return ({ network, milestones, head }) => ({
      data: {
        core: { version: NODE_VERSION },
        nethash: network.nethash,
        slip44: network.settings['slip44'],
        wif: network.settings['wif'],
        token: network.token,
        symbol: network.symbol,
        explorer: network.explorer,
        version: network.pubKeyHash,
        // A node's quirk: it has no numbers of its ports.
        ports: { '@arkecosystem/core-webhooks': null },
        constants: milestones.configuredAt(head.height),
        transactionPool: POOL,
      },
    });
  }

  @CoreGet('configuration/crypto')
  getCrypto(): MakeContent<object> {
    return async (chain) => {
      const { network, head } = chain;
      const block = await this.blocks.findBlock(head, { height: 1 });
      const rows = await this.transactions.listOfBlock(head, 1);
      const transactions = rows.map((row) => genesisTransaction(row, chain));
      return {
        data: {
          network: network.settings,
          exceptions: network.exceptions,
          milestones: network.milestones,
          genesisBlock: { ...rawBlock(block!), previousBlock: null, transactions },
        },
      };
    };
  }
}
