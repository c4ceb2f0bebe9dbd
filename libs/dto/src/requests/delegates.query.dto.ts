import { InvalidRequestError } from './invalid-request.error.js';
import { DelegateOrderParameter, type DelegateOrder } from './order.js';
import {
  LimitParameter,
  OffsetParameter,
  PublicKeyParameter,
  ShortTextParameter,
} from './parameter-types.js';

export class DelegatesQueryDto {
  @OffsetParameter()
  offset: number;

  @LimitParameter("How many delegates to answer; by default the network's number of active delegates.", {
    largest: 100,
  })
  limit?: number;

  @DelegateOrderParameter()
  orderBy: DelegateOrder;
}

export class VotersQueryDto {
  @PublicKeyParameter('Public key of the delegate.', { isRequired: true })
  publicKey: string;

  @OffsetParameter()
  offset: number;

  @LimitParameter('How many voters to answer; by default all.')
  limit?: number;
}

export class DelegateQueryDto {
  @PublicKeyParameter('Public key of the delegate. It or `username` is required.')
  publicKey?: string;

  @ShortTextParameter('Name of the delegate, matched exactly. It or `publicKey` is required.')
  username?: string;

  assertValid(): void {
    if (this.publicKey === undefined && this.username === undefined) {
      throw new InvalidRequestError('One of the parameters "publicKey" and "username" is required.');
    }
  }
}

export class ForgedQueryDto {
  @PublicKeyParameter('Public key of the delegate that forged.', { isRequired: true })
  generatorPublicKey: string;
}

export class DelegateSearchQueryDto {
  @ShortTextParameter('Text that the username holds, without regard to ASCII case.', { isRequired: true })
  q: string;

  @OffsetParameter()
  offset: number;

  @LimitParameter('How many delegates to answer.', { default: '100', largest: 100 })
  limit: number;
}

export class NextForgersQueryDto {
  @LimitParameter(
    "How many forgers to answer; by default 10, at most the network's number of active delegates.",
  )
  limit?: number;
}
