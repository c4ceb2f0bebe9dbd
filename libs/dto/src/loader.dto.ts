import { answerDto, flag, integer, object, responseDto, success, text } from './answer-dto.js';
import { network } from './parts.js';
import { chainEnd } from './status.dto.js';

class NetworkDto extends answerDto(network) {}

/** Never null, as that of the status may be. */
class LoaderEndDto extends answerDto(chainEnd) {}

export class AutoconfigureResponseDto extends answerDto({
  success,
  network: object(NetworkDto, 'The network that this API serves.'),
}) {}

export class LoaderStatusResponseDto extends responseDto({
  loaded: flag('Whether the index has caught up with the node: at most one block behind.'),
  now: integer('Height of the newest indexed block; 0 before the first.'),
  blocksCount: integer("The node's height minus `now`; negative if the node is behind."),
  ended: object(LoaderEndDto, 'Where the chain has ended; absent while it lives.').optional(),
}) {}

export class SyncStatusResponseDto extends responseDto({
  syncing: flag('Whether the index is still catching up with the node.'),
  blocks: integer("The node's height minus `height`; negative if the node is behind."),
  height: integer('Height of the newest indexed block; 0 before the first.'),
  id: text('Identifier of that block; "0" before the first.'),
}) {}
