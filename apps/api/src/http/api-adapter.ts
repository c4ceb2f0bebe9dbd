import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AnswerForm } from '../answers/answer-form.js';
import type { HttpParts } from './http-server.js';

/** Nest's adapter, sending an answer as the ready bytes that it is. */
export class ApiAdapter extends FastifyAdapter {
  constructor(
    server: FastifyInstance,
    private readonly parts: () => HttpParts,
  ) {
    super(server as never);
  }

  override reply(...args: Parameters<FastifyAdapter['reply']>): ReturnType<FastifyAdapter['reply']> {
    const [reply, body] = args as [FastifyReply, unknown, number | undefined];
    if (!(body instanceof AnswerForm)) return super.reply(...args);
    this.parts().responder.sendAnswer(reply, body);
    return reply;
  }
}
