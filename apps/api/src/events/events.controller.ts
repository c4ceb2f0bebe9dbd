import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { describeQuery, EventsQueryDto, parseQuery } from '@roundhouse/dto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeErrors, describeRequestHeaders, describeStream } from '../docs/operation.js';
import { exchangeOf, takeOver } from '../http/exchange.js';
import { Responder } from '../http/responder.service.js';
import { problemWithStatus } from '../http/problem.js';
import { EventStreams } from './event-streams.service.js';

const EVENT_STREAM = 'text/event-stream';

const TOO_MANY_CLIENTS = {
  ...problemWithStatus(503),
  error: 'This server has too many clients of its events; try again in a few seconds.',
  headers: ['Retry-After', '5'],
};

@ApiTags('Beyond the contract')
@Controller('events')
export class EventsController {
  constructor(
    private readonly streams: EventStreams,
    private readonly responder: Responder,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Changes of the head as Server-Sent Events: `head`, `round`, `fork`, `reset`',
  })
  @describeRequestHeaders()
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'The event after which to continue, as EventSource sends it. It takes precedence over the parameter.',
    schema: { type: 'string' },
  })
  @ApiQuery(describeQuery(EventsQueryDto)[0]!)
  @describeStream(EVENT_STREAM)
  @describeErrors({
    400: 'The request cannot be understood.',
    429: 'Too many requests from this address.',
    503: 'There are too many clients.',
  })
  open(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const exchange = exchangeOf(request);
    const { lastEventId } = parseQuery(EventsQueryDto, exchange.target!.query);
    const { method, headers } = request.raw;
    const isStreaming = method !== 'HEAD';
    if (isStreaming && !this.streams.admits(exchange))
      return this.responder.sendProblem(takeOver(reply), TOO_MANY_CLIENTS);
    this.responder.beginStream(takeOver(reply), EVENT_STREAM);
    const given = headers['last-event-id'];
    if (!isStreaming) reply.raw.end();
    else this.streams.add(exchange, typeof given === 'string' ? given : lastEventId);
  }
}
