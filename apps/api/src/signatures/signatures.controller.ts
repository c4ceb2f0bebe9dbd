import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { FeeResponseDto } from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Answers } from '../answers/answers.decorator.js';

@ApiTags('Signatures')
@Controller('api/signatures')
export class SignaturesController {
  @Get('fee')
  @Answers(FeeResponseDto, { summary: 'Fee for registering a second signature' })
  getFee(): MakeContent<FeeResponseDto> {
    return ({ constants }) => ({ fee: constants.staticFees.secondSignature, success: true });
  }
}
