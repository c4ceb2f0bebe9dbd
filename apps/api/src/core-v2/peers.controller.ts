import { Param, Query } from '@nestjs/common';
import {
  coreList,
  corePath,
  CoreRefusal,
  ID,
  many,
  notFound,
  one,
  ORDER_BY,
  queryOf,
} from '@roundhouse/dto/core-v2';
import { satisfies, validRange } from 'semver';
import { made, type MakeContent } from '../answers/answer-request.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { Host, type ClientHost } from '../core-v1/core-v1.decorators.js';
import { CoreGet, CoreV2Controller, Pathname } from './core-v2.decorators.js';
import { listAnswer } from './list-answer.js';
import { NODE_VERSION } from './node-facts.js';

/** Clients look for peers because they want another address of the api, so this lists the one that they know works. */
const selfAt = ({ ip, port }: ClientHost, { head }: ChainView) => ({
  ip,
  port,
  ports: { '@arkecosystem/core-api': port },
  version: NODE_VERSION,
  height: head.height,
  // In milliseconds.
  latency: 0,
  plugins: { '@arkecosystem/core-api': { port, enabled: true, estimateTotalCount: false } },
});

/** A node decodes it once more, and fails if it cannot. */
const rangeOf = (version = '*'): string | null => {
  try {
    return validRange(decodeURIComponent(version));
  } catch {
    return null;
  }
};

/** A node does not filter by `ip`. */
class PeersQuery extends coreList(queryOf({ ip: ID.peer, version: ID.any }), ORDER_BY) {}

class PeerPath extends corePath('ip', ID.peer) {}

@CoreV2Controller('peers')
export class PeersController {
  @CoreGet('', 'Peers: this api.', many('CorePeer'))
  listPeers(
    @Query() query: PeersQuery,
    @Host() host: ClientHost,
    @Pathname() pathname: string,
  ): MakeContent<object> {
    const range = rangeOf(query.criteria['version'] as string | undefined);
    if (range === null) throw new CoreRefusal(404, 'Invalid version range provided');
    return made({ key: `${host.key} ${pathname}`, isKept: false }, (chain) => {
      const peers = satisfies(NODE_VERSION, range) ? [selfAt(host, chain)] : [];
      const rows = peers.slice(query.offset, query.offset + query.limit);
      const page = { rows, totalCount: peers.length, isEstimate: false };
      return listAnswer(query, pathname, page, (peer) => peer);
    });
  }

  @CoreGet(':id', 'A peer, by its IP address.', one('CorePeer'))
  getPeer(@Param() { id }: PeerPath, @Host() host: ClientHost): MakeContent<object> {
    return made({ key: host.key, isKept: false }, (chain) => {
      if (id !== host.ip) throw notFound('Peer');
      return { data: selfAt(host, chain) };
    });
  }
}
