import type { MakeContent } from '../answers/answer-request.js';
import { CoreV1Controller, NodeGet } from './core-v1.decorators.js';

@CoreV1Controller('signatures')
export class SignaturesController {
  @NodeGet('fee')
  getFee(): MakeContent<object> {
    return ({ constants }) => ({ fee: constants.staticFees.secondSignature, success: true });
  }
}
