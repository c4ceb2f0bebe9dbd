import { Query } from '@nestjs/common';
import { DAY_SECONDS, NO_BLOCK_ID } from '@roundhouse/chain';
import { CORE_ANSWERS, coreQuery, ID, one, queryOf } from '@roundhouse/dto/core-v2';
import {
  CoreBlocksReader,
  CoreFeesReader,
  CoreTransactionsReader,
  type CoreFeesRow,
} from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { progressOf } from '../loader/loader.controller.js';
import { CoreGet, CoreV2Controller, IndexedGet } from './core-v2.decorators.js';
import { POOL, NODE_VERSION } from './node-facts.js';
import { genesisTransaction, rawBlock, shownTime } from './resources.js';
import { byGroup, ENTITY_FEES, hasEntities, NODE_TYPES } from './transaction-types.js';

/** What the chain's clock shows now. */
const secondsOf = ({ constants }: ChainView): number =>
  Math.floor((Date.now() - Date.parse(constants.epoch)) / 1000);

const keyOf = ({ typeGroup, type }: CoreFeesRow): string | undefined =>
  NODE_TYPES.find((one) => one.typeGroup === typeGroup && one.type === type)?.key;

/** Not those that were paid. */
const FEES_OF_ENTITIES = Object.fromEntries(
  Object.entries(ENTITY_FEES).map(([key, fee]) => [key, { avg: fee, max: fee, min: fee, sum: 0n }]),
);

class FeesQuery extends coreQuery(queryOf({ days: ID.days })) {}

@CoreV2Controller('node')
export class NodeController {
  constructor(
    private readonly blocks: CoreBlocksReader,
    private readonly transactions: CoreTransactionsReader,
    private readonly fees: CoreFeesReader,
  ) {}

  @CoreGet('status', 'How far the index is.', CORE_ANSWERS.status)
  getStatus(): MakeContent<object> {
    // Its clock goes on while the head stays.
    return made({ isKept: false }, (chain) => {
      const { height, id, timestamp } = chain.head;
      const { hasCaughtUp: synced, blocksBehind } = progressOf(chain);
      const ended = chain.end ? { height, id, timestamp: shownTime(timestamp, chain) } : undefined;
      const blocksCount = Math.max(0, blocksBehind);
      return { data: { synced, now: height, blocksCount, timestamp: secondsOf(chain), ended } };
    });
  }

  @CoreGet('syncing', 'Whether blocks are missing.', CORE_ANSWERS.syncing, { followsSource: true })
  getSyncing(): MakeContent<object> {
    return (chain) => {
      const { hasCaughtUp, blocksBehind, height, id } = progressOf(chain);
      return { data: { syncing: !hasCaughtUp, blocks: Math.max(0, blocksBehind), height, id } };
    };
  }

  @IndexedGet('fees', 'Fees that were paid lately.', CORE_ANSWERS.fees)
  getFees(@Query() { days }: FeesQuery): MakeContent<object> {
    // The window ends now, whenever that is.
    return made({ isKept: days === undefined }, async (chain) => {
      const { milestones, head } = chain;
      const rows =
        days === undefined
          ? await this.fees.listLast(head, NODE_TYPES)
          : await this.fees.listSince(head, Math.max(0, secondsOf(chain) - (days as number) * DAY_SECONDS));
      const fees = byGroup(
        rows.filter((row) => keyOf(row) !== undefined),
        (row) => keyOf(row)!,
        // Of a type without transactions, a node has numbers.
        ({ avg, max, min, sum }) => ({ avg: avg ?? 0, max: max ?? 0, min: min ?? 0, sum: sum ?? 0 }),
      );
      if (hasEntities(milestones.configuredAt(head.height))) fees['2'] = FEES_OF_ENTITIES;
      return { meta: { days }, data: fees };
    });
  }

  @CoreGet('configuration', 'The network, and the rules in force.', one('CoreConfiguration'))
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

  @CoreGet('configuration/crypto', 'All rules of the network.', one('CoreCrypto'))
  getCrypto(): MakeContent<object> {
    return async (chain) => {
      const { network, milestones, head } = chain;
      const { previousBlock, ...raw } = rawBlock((await this.blocks.findBlock(head, { height: 1 }))!);
      const rows = await this.transactions.listOfBlock(head, 1);
      const transactions = rows.map((row) => genesisTransaction(row, chain));
      const { settings, exceptions } = network;
      const previous = previousBlock === NO_BLOCK_ID ? null : previousBlock;
      const genesisBlock = { ...raw, previousBlock: previous, transactions };
      return { data: { network: settings, exceptions, milestones: milestones.configured, genesisBlock } };
    };
  }
}
