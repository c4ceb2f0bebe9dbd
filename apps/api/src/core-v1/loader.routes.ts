import { Injectable } from '@nestjs/common';
import type { NodeAutoconfigure, NodeLoaderStatus, NodeSyncStatus } from '@roundhouse/dto/core-v1';
import { progressOf } from '../loader/loader.controller.js';
import { route, type RouteGroup } from './core-v1-route.js';

@Injectable()
export class LoaderRoutes implements RouteGroup {
  readonly routes = [
    route('loader/status', { followsSource: true }, () => (chain): NodeLoaderStatus => {
      const { hasCaughtUp, height, blocksBehind } = progressOf(chain);
      return { loaded: hasCaughtUp, now: height, blocksCount: blocksBehind, success: true };
    }),
    route('loader/status/sync', { followsSource: true }, () => (chain): NodeSyncStatus => {
      const { hasCaughtUp, height, id, blocksBehind } = progressOf(chain);
      return { syncing: !hasCaughtUp, blocks: blocksBehind, height, id, success: true };
    }),
    route('loader/autoconfigure', { namesHost: true }, (_, { port }) => ({ network }): NodeAutoconfigure => {
      const { nethash, token, symbol, explorer, pubKeyHash } = network;
      const ports = { '@arkecosystem/core-p2p': null, '@arkecosystem/core-api': port };
      return { network: { nethash, token, symbol, explorer, version: pubKeyHash, ports }, success: true };
    }),
  ];
}
