import type { OutgoingHttpHeaders } from 'node:http';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { EventsQueryDto } from '@roundhouse/dto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  describeErrors,
  describeHeader,
  describeParameters,
  describeRequestHeaders,
  describeStream,
} from '../docs/operation.js';
import { Door } from '../http/door.service.js';
import { problemWithStatus, refusalOf, send } from '../http/problem.js';
import { EventStreams } from './event-streams.service.js';

const EVENT_STREAM = 'text/event-stream';

/** Without the last one, nginx holds a stream back until its buffer is full. */
const STREAM_HEADERS = {
  'content-type': EVENT_STREAM,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

const TOO_MANY_CLIENTS = {
  ...problemWithStatus(503),
  error: 'This server has too many clients of its events; try again in a few seconds.',
  headers: { 'retry-after': '5' },
};

@ApiTags('Beyond the contract')
@Controller('events')
export class EventsController {
  constructor(
    private readonly streams: EventStreams,
    private readonly door: Door,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Changes of the head as Server-Sent Events: `head`, `round`, `fork`, `reset`' })
  @describeRequestHeaders()
  @describeHeader(
    'Last-Event-ID',
    'The event after which to continue, as EventSource sends it. It takes precedence over the parameter.',
  )
  @describeParameters()
  @describeStream(EVENT_STREAM)
  @describeErrors({
    400: 'The request cannot be understood.',
    429: 'Too many requests from this address.',
    503: 'There are too many clients.',
  })
  open(
    @Query() { lastEventId }: EventsQueryDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const { 'last-event-id': given } = request.headers;
    const isHead = request.method === 'HEAD';
    if (!isHead && !this.streams.admits(request)) return send(reply, refusalOf(TOO_MANY_CLIENTS));
    reply.headers(STREAM_HEADERS);
    if (isHead) return void reply.send();
    reply.hijack();
    const headers = reply.getHeaders() as OutgoingHttpHeaders;
    reply.raw.writeHead(200, {
      ...headers,
      ...this.door.headersOf(request.id, request.way),
      connection: 'close',
    });
    this.door.observe(request, reply);
    this.streams.add(request, reply, typeof given === 'string' ? given : lastEventId);
  }
}
