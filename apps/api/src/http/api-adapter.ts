import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Answer } from '../answers/answer.js';
import type { HttpParts } from './http-server.js';

/** Nest's adapter, sending an `Answer` as the ready bytes that it is. */
export class ApiAdapter extends FastifyAdapter {
  constructor(
    server: FastifyInstance,
    private readonly parts: () => HttpParts,
  ) {
    super(server as never);
  }

  override reply(...args: Parameters<FastifyAdapter['reply']>): ReturnType<FastifyAdapter['reply']> {
    const [reply, body] = args as [FastifyReply, unknown, number | undefined];
    if (!(body instanceof Answer)) return super.reply(...args);
    this.parts().responder.sendAnswer(reply, body);
    return reply;
  }
}
