import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { FeeResponseDto } from '@roundhouse/dto';
import type { Recipe } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';

@ApiTags('Signatures')
@Controller('api/signatures')
export class SignaturesController {
  @Endpoint('fee', { summary: 'Fee for registering a second signature', answer: FeeResponseDto })
  getFee(): Recipe<FeeResponseDto> {
    return ({ constants }) => ({ fee: constants.staticFees.secondSignature, success: true });
  }
}
