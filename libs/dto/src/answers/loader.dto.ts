import { FlagField, IntegerField, ObjectField, SuccessField, TextField } from './fields.js';

export class NetworkDto {
  @TextField('Hash that identifies the network, in hexadecimal.')
  nethash: string;

  @TextField('Name of the token.')
  token: string;

  @TextField('Symbol of the token.')
  symbol: string;

  @TextField("Address of the network's explorer.")
  explorer: string;

  @IntegerField("First byte of the network's addresses.", { example: 23 })
  version: number;
}

export class AutoconfigureResponseDto {
  @SuccessField()
  success: true;

  @ObjectField('The network that this API serves.', () => NetworkDto)
  network: NetworkDto;
}

export class LoaderStatusResponseDto {
  @FlagField('Whether the index has caught up with the node: at most one block behind.')
  loaded: boolean;

  @IntegerField('Height of the newest indexed block; 0 before the first.')
  now: number;

  @IntegerField("The node's height minus `now`; negative if the node is behind.")
  blocksCount: number;

  @SuccessField()
  success: true;
}

export class SyncStatusResponseDto {
  @FlagField('Whether the index is still catching up with the node.')
  syncing: boolean;

  @IntegerField("The node's height minus `height`; negative if the node is behind.")
  blocks: number;

  @IntegerField('Height of the newest indexed block; 0 before the first.')
  height: number;

  @TextField('Identifier of that block; "0" before the first.')
  id: string;

  @SuccessField()
  success: true;
}
