import { Injectable } from '@nestjs/common';
import type { NodeFee } from '@roundhouse/dto/core-v1';
import { route, type RouteGroup } from './core-v1-route.js';

@Injectable()
export class SignaturesRoutes implements RouteGroup {
  readonly routes = [
    route('signatures/fee', {}, () => ({ constants }): NodeFee => ({
      fee: constants.staticFees.secondSignature,
      success: true,
    })),
  ];
}
