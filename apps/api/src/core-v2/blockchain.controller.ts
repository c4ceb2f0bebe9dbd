import type { MakeContent } from '../answers/answer-request.js';
import { CoreGet, CoreV2Controller } from './core-v2.decorators.js';

@CoreV2Controller('blockchain')
export class BlockchainController {
  @CoreGet()
  getBlockchain(): MakeContent<object> {
    return ({ head: { height, id, supply } }) => ({ data: { block: { height, id }, supply } });
  }
}
