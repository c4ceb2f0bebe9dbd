import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { describeQuery, ErrorResponseDto, EventsQueryDto, parseQuery } from '@roundhouse/dto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { exchangeOf, takeOver } from '../http/exchange.js';
import { Responder } from '../http/responder.service.js';
import { problemWithStatus } from '../http/problem.js';
import { EventStreams } from './event-streams.service.js';

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
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'The event after which to continue, as EventSource sends it. It takes precedence over the parameter.',
    schema: { type: 'string' },
  })
  @ApiQuery(describeQuery(EventsQueryDto)[0]!)
  @ApiProduces('text/event-stream')
  @ApiResponse({ status: 200, description: 'A stream that does not end.', schema: { type: 'string' } })
  @ApiResponse({ status: 400, description: 'The request cannot be understood.', type: ErrorResponseDto })
  @ApiResponse({ status: 429, description: 'Too many requests from this address.', type: ErrorResponseDto })
  @ApiResponse({ status: 503, description: 'There are too many clients.', type: ErrorResponseDto })
  open(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const exchange = exchangeOf(request);
    const { lastEventId } = parseQuery(EventsQueryDto, exchange.target!.query);
    const { method, headers } = request.raw;
    const isStreaming = method !== 'HEAD';
    if (isStreaming && !this.streams.admits(exchange))
      return this.responder.sendProblem(takeOver(reply), TOO_MANY_CLIENTS);
    this.responder.beginStream(takeOver(reply), 'text/event-stream');
    const given = headers['last-event-id'];
    if (!isStreaming) reply.raw.end();
    else this.streams.add(exchange, typeof given === 'string' ? given : lastEventId);
  }
}
