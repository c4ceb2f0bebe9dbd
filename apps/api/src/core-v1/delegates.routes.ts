import { Inject, Injectable } from '@nestjs/common';
import { ReadyJson } from '@roundhouse/dto';
import {
  anyValue,
  integer,
  publicKey,
  refuse,
  refuseParameter,
  required,
  sliceOf,
  text,
  type NodeDelegate,
  type NodeDelegates,
  type NodeFee,
  type NodeForged,
  type NodeFoundDelegates,
  type NodeNextForgers,
  type NodeValue,
  type NodeVoters,
} from '@roundhouse/dto/core-v1';
import {
  DelegatesReader,
  NodeDelegatesReader,
  RowStreams,
  streamNodeVoters,
  type NodeDelegateSort,
  type NodeDirection,
} from '@roundhouse/readers';
import { LargeContent } from '../answers/large-content.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import type { ChainView } from '../chain/chain-view.js';
import { NextForgersService } from '../delegates/next-forgers.service.js';
import { route, type RouteGroup } from './core-v1-route.js';

/** By the name that a client sends, in lower case. */
const SORTS: ReadonlyMap<string, NodeDelegateSort> = new Map<string, NodeDelegateSort>([
  ...(['rate', 'username', 'address', 'vote', 'balance', 'votes', 'approval', 'resigned'] as const).map(
    (sort) => [sort, sort] as const,
  ),
  ['rank', 'rate'],
]);

interface Order {
  readonly sort: NodeDelegateSort;
  readonly direction: NodeDirection;
}

/** Anything but a column and a direction counts as absent; an unknown column gives no order. */
const parseOrder = (orderBy = 'rate:asc'): Order => {
  const [column = '', direction, ...rest] = orderBy.toLowerCase().split(':');
  if ((direction !== 'asc' && direction !== 'desc') || rest.length > 0)
    return { sort: 'rate', direction: 'asc' };
  if (column === '') throw refuseParameter('.orderBy', 'should name a column');
  return { sort: SORTS.get(column) ?? 'none', direction };
};

/** More than there can be delegates. */
const LARGEST_OFFSET = 2_147_483_647;

const NO_DELEGATE = 'Delegate not found';

const DEFAULT_FOUND = 100;

const DEFAULT_FORGERS = 10;

/** How many of `size` forgers a node lists. It does not check the limit: 0 is the default, and what is no number is none. */
const countForgers = (limit: NodeValue = DEFAULT_FORGERS, size: number): number => {
  const asked =
    typeof limit === 'string' || typeof limit === 'object' ? -1 : Number(limit) || DEFAULT_FORGERS;
  return Math.floor(Math.max(0, Math.min(asked, size)));
};

@Injectable()
export class DelegatesRoutes implements RouteGroup {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly delegates: NodeDelegatesReader,
    private readonly figures: DelegatesReader,
    private readonly nextForgers: NextForgersService,
    private readonly streams: RowStreams,
  ) {}

  readonly routes = [
    route(
      'delegates',
      {
        rules: {
          orderBy: text(),
          limit: integer(1, ({ activeDelegates }) => activeDelegates),
          offset: integer(0),
        },
      },
      ({ orderBy, limit, offset = 0 }) => {
        const { sort, direction } = parseOrder(orderBy);
        return async ({ head, constants }): Promise<NodeDelegates> => {
          const most = limit ?? constants.activeDelegates;
          const skipped = Math.min(offset, LARGEST_OFFSET);
          const delegates = await this.delegates.listDelegates(head, sort, direction, most, skipped);
          return { delegates: ReadyJson.list(delegates), totalCount: head.delegateCount, success: true };
        };
      },
    ),
    route(
      'delegates/get',
      { rules: { publicKey: text(), username: text() } },
      ({ publicKey: key, username }) =>
        async ({ head }): Promise<NodeDelegate> => {
          const delegate = await this.delegates.findDelegate(head, key ?? username ?? '');
          if (delegate === '') throw refuse(NO_DELEGATE);
          return { delegate: new ReadyJson(delegate), success: true };
        },
    ),
    route('delegates/count', {}, () => ({ head }) => ({ count: head.delegateCount, success: true })),
    route('delegates/fee', {}, () => ({ constants }): NodeFee => ({
      fee: constants.staticFees.delegateRegistration,
      success: true,
    })),
    route(
      'delegates/search',
      {
        rules: {
          q: required(text({ shortest: 1, longest: 20 })),
          limit: integer(1, 100),
          offset: anyValue,
        },
      },
      ({ q, limit = DEFAULT_FOUND, offset }) => {
        const { from, to } = sliceOf(offset, limit);
        return async ({ head }): Promise<NodeFoundDelegates> => {
          const found = await this.delegates.searchDelegates(head, q, from, to);
          return { delegates: ReadyJson.list(found), success: true };
        };
      },
    ),
    route(
      'delegates/voters',
      { rules: { publicKey: required(publicKey) } },
      ({ publicKey: key }) =>
        (chain) =>
          this.getVoters(chain, key),
    ),
    route(
      'delegates/forging/getForgedByAccount',
      { rules: { generatorPublicKey: required(publicKey) } },
      ({ generatorPublicKey }) =>
        async ({ head }): Promise<NodeForged> => {
          const totals = await this.figures.findForged(head, generatorPublicKey.toLowerCase());
          const { fees, rewards } = totals ?? { fees: 0n, rewards: 0n };
          return { fees, rewards, forged: fees + rewards, success: true };
        },
    ),
    route(
      'delegates/getNextForgers',
      { rules: { limit: anyValue } },
      ({ limit }) =>
        async (chain): Promise<NodeNextForgers> => {
          const { activeDelegates } = chain.constants;
          const all = await this.nextForgers.getNextForgers(chain, { limit: activeDelegates });
          return { ...all, delegates: all.delegates.slice(0, countForgers(limit, activeDelegates)) };
        },
    ),
  ];

  /** A key in upper case is no delegate's for a node. */
  private async getVoters({ head }: ChainView, key: string): Promise<NodeVoters | LargeContent<NodeVoters>> {
    const contentWith = (accounts: ReadyJson): NodeVoters => ({ accounts, success: true });
    if (key !== key.toLowerCase()) return contentWith(ReadyJson.list(''));
    const found = await this.delegates.findVoters(head, key, this.settings.STREAM_FROM_VOTERS - 1);
    if (found.kind === 'listed') return contentWith(ReadyJson.list(found.voters));
    return new LargeContent(contentWith, () => streamNodeVoters(this.streams, head, key));
  }
}
