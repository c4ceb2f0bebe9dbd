import {
  applyDecorators,
  Controller,
  createParamDecorator,
  Get,
  Injectable,
  UseFilters,
  UsePipes,
  type ArgumentMetadata,
  type PipeTransform,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { jsonWriter, type GivenParameters } from '@roundhouse/dto';
import { isNodeQuery, readNodeQuery } from '@roundhouse/dto/core-v1';
import type { FastifyRequest } from 'fastify';
import { Kept } from '../answers/kept.decorator.js';
import { Own } from '../answers/foreign-parts.js';
import { JSON_TYPE } from '../answers/headers.js';
import { noteParameters, rawQueryOf } from '../answers/parameters.pipe.js';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import { CORE_V1_PATH } from './core-v1.way.js';
import { NodeFilter } from './refusals.js';

/** Reads `@Query()` by a node's rules, some of which depend on the network. Throws `NodeRefusal`. */
@Injectable()
@Own()
class NodeQueryPipe implements PipeTransform<GivenParameters> {
  constructor(private readonly tracker: ChainTracker) {}

  async transform(given: GivenParameters, { metatype }: ArgumentMetadata): Promise<unknown> {
    if (!isNodeQuery(metatype)) return given;
    const { network, constants } = await this.tracker.current();
    return noteParameters(given, readNodeQuery(metatype, rawQueryOf(given), { ...network, ...constants }));
  }
}

/** A controller of Core's version 1. */
export const CoreV1Controller = (group: string): ClassDecorator =>
  applyDecorators(
    Controller(`${CORE_V1_PATH}/${group}`),
    UsePipes(NodeQueryPipe),
    UseFilters(NodeFilter),
    ApiExcludeController(),
  );

/** As a node leaves out what it does not have. */
const write = jsonWriter(String, (field) => field === undefined || field === null);

/**
 * A route of Core's version 1 that differs from the contract's, whose handler returns a `MakeContent` that may throw `NodeRefusal`. Amounts are in
 * arktoshi: a `bigint` is written as a number, and some are text, as a node wrote them. To add one:
 *
 * 1. a class with the rules of its parameters;
 * 2. its SQL in a reader of `libs/readers/src/core-v1`, which `core-v1.module.ts` provides. A list with an offset or
 *    filters of any cost reads from the `ListPool`, and its answer is `made` in the places `lists`. Everything else reads
 *    from the common pool;
 * 3. the handler in the controller of its group;
 * 4. its path in `apps/chain-e2e/src/core-v1/done-routes.ts`: `core-v1.int-spec.ts` then replays what a real node answered.
 */
export const NodeGet = (path = ''): MethodDecorator =>
  applyDecorators(Get(path), Kept({ writing: { contentType: JSON_TYPE, headers: {}, write } }));

/** Where a client reached the api, in the client's own words. */
export interface ClientHost {
  /** A name or an address. An IPv6 address has no brackets. */
  readonly ip: string;
  readonly port: number;
  /** Both, for an answer that names them. */
  readonly key: string;
}

const PARTS = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/;

/**
 * Where the client reached the api: from the Host header, which is checked. Without one, as HTTP/1.0 allows, from the
 * connection. An answer that names it depends on it by its `key`, and is not kept.
 */
export const Host = createParamDecorator((_, context): ClientHost => {
  const { headers, socket } = context.switchToHttp().getRequest<FastifyRequest>().raw;
  const { localAddress = '', localPort = 0 } = socket;
  const at = (ip: string, port: number) => ({ ip, port, key: `${ip} ${port}` });
  if (!headers.host) return at(localAddress.replace(/^::ffff:/, ''), localPort);
  const [, inBrackets, name = '', port] = PARTS.exec(headers.host) ?? [];
  const usual = headers['x-forwarded-proto'] === 'https' ? 443 : 80;
  return at(inBrackets ?? name, port === undefined ? usual : Number(port));
});
