import { Query } from '@nestjs/common';
import { integer, nodeQuery, NodeRefusal, text } from '@roundhouse/dto/core-v1';
import { made, type MakeContent } from '../answers/answer-request.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { CoreV1Controller, Host, NodeGet, type ClientHost } from './core-v1.decorators.js';

/** The node whose answers these are. */
const NODE_VERSION = '2.4.15';

/** Clients look for peers because they want another address of the api, so this lists the one that they know works. */
const selfAt = ({ ip, port }: ClientHost, { head }: ChainView) => ({
  ip,
  port,
  ports: { '@arkecosystem/core-api': port },
  version: NODE_VERSION,
  height: head.height,
  // Of older nodes: see decision 0026.
  status: 'OK',
  // In milliseconds.
  delay: 0,
});

/** The node filters by `version` alone, and ignores the offset. */
class PeersQuery extends nodeQuery({
  port: integer(1, 65_535),
  status: text({ longest: 20 }),
  os: text({ longest: 64 }),
  version: text({ longest: 16 }),
  orderBy: text(),
  limit: integer(0, 100),
  offset: integer(0),
}) {}

class PeerQuery extends nodeQuery({ ip: text(), port: integer(0, 65_535) }, 'ip', 'port') {}

@CoreV1Controller('peers')
export class PeersController {
  @NodeGet()
  listPeers(
    @Query() { version = NODE_VERSION, orderBy }: PeersQuery,
    @Host() host: ClientHost,
  ): MakeContent<object> {
    if (orderBy?.includes(':') === false)
      throw new NodeRefusal('should be a column, a colon and a direction', '.orderBy');
    return made({ key: host.key, isKept: false }, (chain) => ({
      peers: version === NODE_VERSION ? [selfAt(host, chain)] : [],
      success: true,
    }));
  }

  @NodeGet('get')
  getPeer(@Query() { ip, port }: PeerQuery, @Host() host: ClientHost): MakeContent<object> {
    return made({ key: host.key, isKept: false }, (chain) => {
      if (ip !== host.ip || port !== host.port) throw new NodeRefusal(`Peer ${ip}:${port} not found`);
      return { peer: selfAt(host, chain), success: true };
    });
  }

  @NodeGet('version')
  getVersion(): MakeContent<object> {
    return () => ({ version: NODE_VERSION, success: true });
  }
}
