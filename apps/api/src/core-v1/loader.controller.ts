import { made, type MakeContent } from '../answers/answer-request.js';
import { progressOf } from '../loader/loader.controller.js';
import { CoreV1Controller, Host, NodeGet, type ClientHost } from './core-v1.decorators.js';

@CoreV1Controller('loader')
export class LoaderController {
  @NodeGet('status', { followsSource: true })
  getStatus(): MakeContent<object> {
    return (chain) => {
      const { hasCaughtUp, height, blocksBehind } = progressOf(chain);
      return { loaded: hasCaughtUp, now: height, blocksCount: blocksBehind, success: true };
    };
  }

  @NodeGet('status/sync', { followsSource: true })
  getSyncStatus(): MakeContent<object> {
    return (chain) => {
      const { hasCaughtUp, height, id, blocksBehind } = progressOf(chain);
      return { syncing: !hasCaughtUp, blocks: blocksBehind, height, id, success: true };
    };
  }

  @NodeGet('autoconfigure')
  getConfiguration(@Host() { key, port }: ClientHost): MakeContent<object> {
    return made({ key, isKept: false }, ({ network }) => {
      const { nethash, token, symbol, explorer, pubKeyHash } = network;
      const ports = { '@arkecosystem/core-p2p': null, '@arkecosystem/core-api': port };
      return { network: { nethash, token, symbol, explorer, version: pubKeyHash, ports }, success: true };
    });
  }
}
