import { Injectable } from '@nestjs/common';
import {
  integer,
  refuse,
  refuseParameter,
  required,
  text,
  type NodePeer,
  type NodePeerFound,
  type NodePeers,
} from '@roundhouse/dto/core-v1';
import type { ChainView } from '../chain/chain-view.js';
import type { ClientHost } from './client-host.js';
import { route, type RouteGroup } from './core-v1-route.js';

/** The node whose answers these are. */
const NODE_VERSION = '2.4.15';

/** Clients look for peers because they want another address of the api, so this lists the one that they know works. */
const selfAt = ({ ip, port }: ClientHost, { head }: ChainView): NodePeer => ({
  ip,
  port,
  ports: { '@arkecosystem/core-api': port },
  version: NODE_VERSION,
  height: head.height,
  status: 'OK',
  delay: 0,
});

@Injectable()
export class PeersRoutes implements RouteGroup {
  readonly routes = [
    route(
      'peers',
      {
        rules: {
          port: integer(1, 65_535),
          status: text({ longest: 20 }),
          os: text({ longest: 64 }),
          version: text({ longest: 16 }),
          orderBy: text(),
          limit: integer(0, 100),
          offset: integer(0),
        },
        namesHost: true,
      },
      ({ version = NODE_VERSION, orderBy }, host) => {
        if (orderBy !== undefined && !orderBy.includes(':')) {
          throw refuseParameter('.orderBy', 'should be a column, a colon and a direction');
        }
        // The node filters by nothing else, and ignores the offset.
        return (chain): NodePeers => ({
          peers: version === NODE_VERSION ? [selfAt(host, chain)] : [],
          success: true,
        });
      },
    ),
    route(
      'peers/get',
      { rules: { ip: required(text()), port: required(integer(0, 65_535)) }, namesHost: true },
      ({ ip, port }, host) =>
        (chain): NodePeerFound => {
          if (ip !== host.ip || port !== host.port) throw refuse(`Peer ${ip}:${port} not found`);
          return { peer: selfAt(host, chain), success: true };
        },
    ),
    route('peers/version', {}, () => () => ({ version: NODE_VERSION, success: true })),
  ];
}
