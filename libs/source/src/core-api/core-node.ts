import type { DelegateFigures, Network } from '@roundhouse/chain';
import { chainProblemOf, HIDDEN_IN_2_4 } from './chain-problem.js';
import { CoreApi } from './core-api.js';
import type { CoreLine } from './core-line.js';
import { readDelegates, readVoters, type DelegatesSource, type NodeVoter } from './delegates-source.js';
import type { NodeHttpOptions } from './node-http-options.js';
import { readNetworkOf } from './node-network.js';
import { pageBoundOf } from './page-bound.js';

/** What a node's public API says besides its blocks. */
export abstract class CoreNode implements Omit<DelegatesSource, 'tip'> {
  readonly name: string;
  protected readonly api: CoreApi;

  constructor(url: URL, options: NodeHttpOptions, network: Network | null = null) {
    this.api = new CoreApi(url, options);
    if (network !== null) this.api.http.allow(pageBoundOf(network));
    this.name = this.api.name;
  }

  async network(): Promise<Network | null> {
    const network = await readNetworkOf(this.api);
    if (network !== null) this.api.http.allow(pageBoundOf(network));
    return network;
  }

  chainProblem(): Promise<string | null> {
    return chainProblemOf(this.api);
  }

  async hiddenFields(): Promise<string | null> {
    return (await this.api.hidesFields()) ? HIDDEN_IN_2_4 : null;
  }

  /** Returns the `data` of the answer to a path of the API, or null if the node has nothing there. */
  find(path: string): Promise<unknown> {
    return this.api.find(path);
  }

  async lineName(): Promise<CoreLine['name']> {
    return (await this.api.line()).name;
  }

  delegates(): Promise<DelegateFigures[]> {
    return readDelegates(this.api);
  }

  voters(publicKey: string): Promise<NodeVoter[]> {
    return readVoters(this.api, publicKey);
  }

  close(): Promise<void> {
    this.api.http.close();
    return Promise.resolve();
  }
}
