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

  @LimitParameter("How many delegates to return; by default the network's number of active delegates.", {
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

  @LimitParameter('How many voters to return; by default all.')
  limit?: number;
}

export class DelegateQueryDto {
  @PublicKeyParameter('Public key of the delegate. Either this or `username` is required.')
  publicKey?: string;

  @ShortTextParameter('Exact name of the delegate. Either this or `publicKey` is required.')
  username?: string;

  assertValid(): void {
    if (this.publicKey === undefined && this.username === undefined) {
      throw new InvalidRequestError('One of the parameters "publicKey" and "username" is required.');
    }
  }
}

export class ForgedQueryDto {
  @PublicKeyParameter('Public key of the delegate.', { isRequired: true })
  generatorPublicKey: string;
}

export class DelegateSearchQueryDto {
  @ShortTextParameter('Text that the username contains. ASCII letters match in either case.', {
    isRequired: true,
  })
  q: string;

  @OffsetParameter()
  offset: number;

  @LimitParameter('How many delegates to return.', { default: '100', largest: 100 })
  limit: number;
}

export class NextForgersQueryDto {
  @LimitParameter(
    "How many forgers to return: 10 by default, at most the network's number of active delegates.",
  )
  limit?: number;
}

/** Of /delegates.json. */
export class StatusDelegatesQueryDto {
  @ShortTextParameter('Text that the username contains. ASCII letters match in either case.')
  q?: string;

  @ShortTextParameter('Exact name of one delegate.')
  username?: string;

  @PublicKeyParameter('Public key of one delegate.')
  publicKey?: string;

  @DelegateOrderParameter()
  orderBy: DelegateOrder;

  @OffsetParameter()
  offset: number;

  @LimitParameter('How many delegates to return.', { default: '100', largest: 100 })
  limit: number;

  assertValid(): void {
    const filters = [this.q, this.username, this.publicKey].filter((value) => value !== undefined);
    if (filters.length > 1) {
      throw new InvalidRequestError('Only one of the parameters "q", "username" and "publicKey" is allowed.');
    }
  }
}
