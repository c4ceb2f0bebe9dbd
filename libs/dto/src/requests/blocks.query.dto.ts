import { BlockIdParameter, LimitParameter, OffsetParameter } from './parameter-types.js';

export class BlocksQueryDto {
  @OffsetParameter()
  offset: number;

  @LimitParameter('How many blocks to return.', { default: '100', largest: 100 })
  limit: number;
}

export class BlockQueryDto {
  @BlockIdParameter('Identifier of the block.')
  id: string;
}
