import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { NO_BLOCK_ID } from '@roundhouse/chain';
import { AutoconfigureResponseDto, LoaderStatusResponseDto, SyncStatusResponseDto } from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Answers } from '../answers/answers.decorator.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { endOf } from '../status/status.service.js';

const MOST_BLOCKS_BEHIND = 1;

/** `blocksBehind` is negative if the node is behind the index, and 0 while the node's height is unknown. */
export const progressOf = ({ headOrNull, sourceHeight, isSourceSilent }: ChainView) => {
  const { height, id } = headOrNull ?? { height: 0, id: NO_BLOCK_ID };
  const blocksBehind = sourceHeight === null ? 0 : sourceHeight - height;
  const isNodeKnown = sourceHeight !== null && !isSourceSilent;
  return {
    height,
    id,
    blocksBehind,
    hasCaughtUp: headOrNull !== null && isNodeKnown && blocksBehind <= MOST_BLOCKS_BEHIND,
  };
};

@ApiTags('Loader')
@Controller('api/loader')
export class LoaderController {
  @Get('autoconfigure')
  @Answers(AutoconfigureResponseDto, { summary: 'Configuration of the network' })
  getConfiguration(): MakeContent<AutoconfigureResponseDto> {
    return ({ network: { nethash, token, symbol, explorer, pubKeyHash } }) => ({
      success: true,
      network: { nethash, token, symbol, explorer, version: pubKeyHash },
    });
  }

  @Get('status')
  @Answers(LoaderStatusResponseDto, {
    summary: 'Whether the index has caught up with the node',
    followsSource: true,
  })
  getStatus() {
    return (chain: ChainView) => {
      const { hasCaughtUp, height, blocksBehind } = progressOf(chain);
      const ended = (chain.end && endOf(chain)) ?? undefined;
      return { loaded: hasCaughtUp, now: height, blocksCount: blocksBehind, ended, success: true };
    };
  }

  @Get('status/sync')
  @Answers(SyncStatusResponseDto, { summary: 'How far the index is behind the node', followsSource: true })
  getSyncStatus() {
    return (chain: ChainView) => {
      const { hasCaughtUp, height, blocksBehind, id } = progressOf(chain);
      return { syncing: !hasCaughtUp, blocks: blocksBehind, height, id, success: true };
    };
  }
}
