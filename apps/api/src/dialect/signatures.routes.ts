import { Injectable } from '@nestjs/common';
import type { NodeFee } from '@roundhouse/dto/dialect';
import { route, type RouteGroup } from './dialect-route.js';

@Injectable()
export class SignaturesRoutes implements RouteGroup {
  readonly routes = [
    route('signatures/fee', {}, () => ({ constants }): NodeFee => ({
      fee: constants.staticFees.secondSignature,
      success: true,
    })),
  ];
}
