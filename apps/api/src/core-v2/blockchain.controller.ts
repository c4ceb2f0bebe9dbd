import { CORE_ANSWERS } from '@roundhouse/dto/core-v2';
import type { MakeContent } from '../answers/answer-request.js';
import { CoreGet, CoreV2Controller } from './core-v2.decorators.js';

@CoreV2Controller('blockchain')
export class BlockchainController {
  @CoreGet('', 'The newest block, and the supply.', CORE_ANSWERS.blockchain)
  getBlockchain(): MakeContent<object> {
    return ({ head: { height, id, supply } }) => ({ data: { block: { height, id }, supply } });
  }
}
