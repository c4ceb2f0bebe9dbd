import type { DevnetChain } from '../chain/devnet-chain.js';
import { ForgingLoop } from '../forging/forging-loop.js';
import { TransactionPool } from '../forging/transaction-pool.js';
import { DevnetApi } from './api.js';

/** The fields that these tests read; no answer has all of them. */
interface Item {
  readonly id: string;
  readonly height: number;
  readonly publicKey: string;
  readonly votes: string;
  readonly rank: number;
  readonly balance: string;
  readonly attributes: { readonly htlc?: { readonly lockedBalance: string } };
  readonly isForging: boolean;
  readonly accept: readonly string[];
  readonly constants: unknown;
  readonly network: { readonly nethash: string };
  readonly milestones: readonly unknown[];
  readonly genesisBlock: unknown;
}

export interface Answer {
  readonly status: number;
  /** `data` is one item or a list of them. */
  readonly body: { readonly data: readonly Item[] & Item; readonly meta: unknown; readonly message: string };
}

export interface ServedApi {
  readonly api: DevnetApi;
  readonly ask: (url: string, method?: 'GET' | 'POST', payload?: object) => Promise<Answer>;
  /** Also closes the chain. Throws if a request hit a bug of the devnet. */
  readonly close: () => Promise<void>;
}

/** The API of a chain, without a port. */
export const serveApi = (chain: DevnetChain, hasControl = false): ServedApi => {
  const errors: Error[] = [];
  const pool = new TransactionPool();
  const loop = new ForgingLoop(chain, pool, () => undefined);
  const api = new DevnetApi({ chain, pool, loop }, { hasControl, onError: (error) => errors.push(error) });
  return {
    api,
    ask: async (url, method = 'GET', payload) => {
      const reply = await api.answer({
        method,
        path: url,
        headers: {},
        payload: payload ? JSON.stringify(payload) : '',
      });
      const { status = 200, body } = reply as { status?: number; body: string };
      return { status, body: JSON.parse(body) as Answer['body'] };
    },
    close: async () => {
      loop.stop();
      await api.close();
      chain.close();
      if (errors.length > 0) throw new AggregateError(errors, 'The devnet failed to answer.');
    },
  };
};
