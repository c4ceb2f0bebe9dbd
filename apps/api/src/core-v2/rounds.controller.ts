import { Param } from '@nestjs/common';
import { CORE_ANSWERS, corePath, ID, notFound } from '@roundhouse/dto/core-v2';
import { CoreRoundsReader } from '@roundhouse/readers';
import type { MakeContent } from '../answers/answer-request.js';
import { CoreGet, CoreV2Controller } from './core-v2.decorators.js';

class RoundPath extends corePath('id', ID.round) {}

@CoreV2Controller('rounds')
export class RoundsController {
  constructor(private readonly rounds: CoreRoundsReader) {}

  @CoreGet(':id/delegates', 'The forgers of a round, with the weights that chose them.', CORE_ANSWERS.forgers)
  listDelegates(@Param() { id }: RoundPath): MakeContent<object> {
    return async ({ head }) => {
      const forgers = await this.rounds.listForgers(head, Number(id));
      if (forgers.length === 0) throw notFound('Round');
      return { data: forgers };
    };
  }
}
