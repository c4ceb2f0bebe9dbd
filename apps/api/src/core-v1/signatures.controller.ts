import { SignaturesController as Contract } from '../blocks/chain-constants.controller.js';
import { CoreV1Controller } from './core-v1.decorators.js';

@CoreV1Controller('signatures')
export class SignaturesController extends Contract {}
