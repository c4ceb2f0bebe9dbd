import { SignaturesController as Contract } from '../signatures/signatures.controller.js';
import { CoreV1Controller } from './core-v1.decorators.js';

@CoreV1Controller('signatures')
export class SignaturesController extends Contract {}
