import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AutoconfigureResponseDto, LoaderStatusResponseDto, SyncStatusResponseDto } from '@roundhouse/dto';
import type { Recipe } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';
import { loadStatusOf } from './load-status.js';

@ApiTags('Loader')
@Controller('api/loader')
export class LoaderController {
  @Endpoint('autoconfigure', { summary: 'Configuration of the network', answer: AutoconfigureResponseDto })
  getConfiguration(): Recipe<AutoconfigureResponseDto> {
    return ({ network: { nethash, token, symbol, explorer, pubKeyHash } }) => ({
      success: true,
      network: { nethash, token, symbol, explorer, version: pubKeyHash },
    });
  }

  @Endpoint('status', {
    summary: 'Whether the index has caught up with the node',
    answer: LoaderStatusResponseDto,
    followsSource: true,
  })
  getStatus(): Recipe<LoaderStatusResponseDto> {
    return (chain) => {
      const { hasCaughtUp, height, blocksBehind } = loadStatusOf(chain);
      return { loaded: hasCaughtUp, now: height, blocksCount: blocksBehind, success: true };
    };
  }

  @Endpoint('status/sync', {
    summary: 'How far the index is from the node',
    answer: SyncStatusResponseDto,
    followsSource: true,
  })
  getSyncStatus(): Recipe<SyncStatusResponseDto> {
    return (chain) => {
      const { hasCaughtUp, height, blocksBehind, id } = loadStatusOf(chain);
      return { syncing: !hasCaughtUp, blocks: blocksBehind, height, id, success: true };
    };
  }
}
