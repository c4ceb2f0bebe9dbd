import {
  CoreNode,
  NODE_LINES,
  NodeShape,
  type AnswerNode,
  type ArchiveBlock,
  type NodeChain,
} from '@roundhouse/core-node';
import type { DevnetChain } from '../chain/devnet-chain.js';
import type { RawBlock } from '../chain/raw-block.js';
import type { DevnetContext } from './devnet-context.js';
import { ledgerLists } from './ledger-lists.js';
import { poolAnswers } from './pool-answers.js';

const LINE = NODE_LINES['3.0.6-3.9'];

/** The milestones up to the head, merged in Core's form: the last value of each key. */
const constants = ({ network, state }: DevnetChain): object =>
  Object.assign({}, ...network.milestones.filter(({ height }) => height <= state.height)) as object;

const dataOf = (chain: DevnetChain, path: string): object | null => {
  const { network, milestones, exceptions } = chain.network;
  switch (path) {
    case '/node/status':
      return { synced: true, timestamp: chain.now };
    case '/node/syncing':
      return { syncing: false };
    case '/node/configuration': {
      const { nethash, slip44, wif, client, pubKeyHash } = network;
      return {
        core: { version: LINE.version },
        nethash,
        slip44,
        wif,
        ...client,
        version: pubKeyHash,
        ports: {},
        constants: constants(chain),
        transactionPool: { dynamicFees: { enabled: false } },
      };
    }
    case '/node/configuration/crypto':
      return { network, exceptions, milestones, genesisBlock: { ...chain.log.read(1), previousBlock: null } };
    default:
      return null;
  }
};

/** The node of line 3.9 that has this chain, with the pool and the ledger of the devnet. */
export const devnetNode = (context: DevnetContext): AnswerNode => {
  const { chain } = context;
  const { log } = chain;
  const usernameOf = (publicKey: string): string | undefined =>
    chain.state.ledger.delegates.get(publicKey)?.username;
  const shape = new NodeShape(LINE, chain.network, usernameOf);
  const shown: NodeChain = {
    get height() {
      return log.height;
    },
    block: (height) => shape.show(log.read(height) as RawBlock & ArchiveBlock),
    heightOf: (id) => log.heightOf(id),
    heightOfTransaction: (id) => log.heightOfTransaction(id),
    transactionsUpTo: (height) => log.transactionsUpTo(height),
  };
  const node = new CoreNode(
    { line: LINE, isExact: true },
    (path) => {
      const data = dataOf(chain, path);
      return data && JSON.stringify({ data });
    },
    (url, request, answers) => {
      if (url.pathname === '/blockchain') {
        const { height, id } = chain.head;
        const supply = chain.state.ledger.supply.toString();
        return JSON.stringify({ data: { block: { height, id }, supply } });
      }
      if (url.pathname === '/peers') return answers.list(url, 'peers', [], String);
      return poolAnswers(context, shape, url, request, answers) ?? ledgerLists(chain, url, answers);
    },
  );
  return (request, onBlocks) => node.answer(shown, request, onBlocks);
};
