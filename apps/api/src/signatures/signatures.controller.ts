import { Controller } from '@nestjs/common';
import { FeeResponseDto } from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';
import { Tag } from '../docs/documented.decorator.js';

@Tag('Signatures')
@Controller('api/signatures')
export class SignaturesController {
  @Endpoint('fee', { summary: 'Fee for registering a second signature', answer: FeeResponseDto })
  getFee(): MakeContent<FeeResponseDto> {
    return ({ constants }) => ({ fee: constants.staticFees.secondSignature, success: true });
  }
}
