import { Inject, Query } from '@nestjs/common';
import { ReadyJson } from '@roundhouse/dto';
import {
  anyValue,
  integer,
  nodeQuery,
  NodeRefusal,
  publicKey,
  text,
  type NodeValue,
} from '@roundhouse/dto/core-v1';
import { DelegatesReader, NodeDelegatesReader, RowStreams } from '@roundhouse/readers';
import type { MakeContent } from '../answers/answer-request.js';
import { listContent } from '../answers/answers.service.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { NextForgersService } from '../delegates/next-forgers.service.js';
import { accountsContent } from './accounts.controller.js';
import { CoreV1Controller, NodeGet } from './core-v1.decorators.js';
import { DEFAULT_LIMIT, delegateOrderOf, pageOf, sliceOf } from './list-parameters.js';

const DEFAULT_FORGERS = 10;

/** How many of `size` forgers a node lists. It does not check the limit: 0 is the default, and what is no number is none. */
const countForgers = (limit: NodeValue = DEFAULT_FORGERS, size: number): number => {
  const asked =
    typeof limit === 'string' || typeof limit === 'object' ? -1 : Number(limit) || DEFAULT_FORGERS;
  return Math.floor(Math.max(0, Math.min(asked, size)));
};

class DelegatesQuery extends nodeQuery({
  orderBy: text(),
  limit: integer(1, (network) => network.activeDelegates),
  offset: integer(0),
}) {}
class DelegateQuery extends nodeQuery({ publicKey: text(), username: text() }) {}
class SearchQuery extends nodeQuery(
  { q: text({ shortest: 1, longest: 20 }), limit: integer(1, 100), offset: anyValue },
  'q',
) {}
class VotersQuery extends nodeQuery({ publicKey }, 'publicKey') {}
class ForgedQuery extends nodeQuery({ generatorPublicKey: publicKey }, 'generatorPublicKey') {}
class NextForgersQuery extends nodeQuery({ limit: anyValue }) {}

@CoreV1Controller('delegates')
export class DelegatesController {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly delegates: NodeDelegatesReader,
    private readonly figures: DelegatesReader,
    private readonly nextForgers: NextForgersService,
    private readonly streams: RowStreams,
  ) {}

  @NodeGet()
  listDelegates(@Query() { orderBy, limit, offset }: DelegatesQuery): MakeContent<object> {
    const order = delegateOrderOf(orderBy);
    return async ({ head, constants }) => {
      const page = pageOf({ limit: limit ?? constants.activeDelegates, offset });
      const delegates = await this.delegates.listDelegates(head, order, page.limit, page.offset);
      return { delegates: ReadyJson.list(delegates), totalCount: head.delegateCount, success: true };
    };
  }

  @NodeGet('get')
  getDelegate(@Query() { publicKey: key, username }: DelegateQuery): MakeContent<object> {
    return async ({ head }) => {
      const delegate = await this.delegates.findDelegate(head, key ?? username ?? '');
      if (delegate === '') throw new NodeRefusal('Delegate not found');
      return { delegate: new ReadyJson(delegate), success: true };
    };
  }

  @NodeGet('count')
  countDelegates(): MakeContent<object> {
    return ({ head }) => ({ count: head.delegateCount, success: true });
  }

  @NodeGet('fee')
  getFee(): MakeContent<object> {
    return ({ constants }) => ({ fee: constants.staticFees.delegateRegistration, success: true });
  }

  @NodeGet('search')
  searchDelegates(@Query() { q, limit = DEFAULT_LIMIT, offset }: SearchQuery): MakeContent<object> {
    const { from, to } = sliceOf(offset, limit);
    return async ({ head }) => {
      const found = await this.delegates.searchDelegates(head, q, from, to);
      return { delegates: ReadyJson.list(found), success: true };
    };
  }

  /** A key in upper case is no delegate's for a node. */
  @NodeGet('voters')
  getVoters(@Query() { publicKey: key }: VotersQuery): MakeContent<object> {
    const most = this.settings.STREAM_FROM_VOTERS - 1;
    return async ({ head }) => {
      const voters = key === key.toLowerCase() ? await this.delegates.findVoters(head, key, most) : '';
      return listContent(voters, this.streams, accountsContent);
    };
  }

  @NodeGet('forging/getForgedByAccount')
  getForged(@Query() { generatorPublicKey }: ForgedQuery): MakeContent<object> {
    return async ({ head }) => {
      const totals = await this.figures.findForged(head, generatorPublicKey.toLowerCase());
      const { fees, rewards } = totals ?? { fees: 0n, rewards: 0n };
      return { fees, rewards, forged: fees + rewards, success: true };
    };
  }

  @NodeGet('getNextForgers')
  getNextForgers(@Query() { limit }: NextForgersQuery): MakeContent<object> {
    return async (chain) => {
      const { activeDelegates } = chain.constants;
      const all = await this.nextForgers.getNextForgers(chain, { limit: activeDelegates });
      return { ...all, delegates: all.delegates.slice(0, countForgers(limit, activeDelegates)) };
    };
  }
}
