import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { FeeResponseDto } from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';

@ApiTags('Signatures')
@Controller('api/signatures')
export class SignaturesController {
  @Endpoint('fee', { summary: 'Fee for registering a second signature', answer: FeeResponseDto })
  getFee(): MakeContent<FeeResponseDto> {
    return ({ constants }) => ({ fee: constants.staticFees.secondSignature, success: true });
  }
}
