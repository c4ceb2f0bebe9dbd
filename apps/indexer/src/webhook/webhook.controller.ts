import { timingSafeEqual } from 'node:crypto';
import {
  Controller,
  Headers,
  HttpCode,
  Inject,
  Post,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { sha256 } from '@roundhouse/chain';
import { JobQueues } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';

/** A Core node sends only the first half of the 64 characters: it does not keep the other half. */
const SENT_CHARACTERS = 32;

/** Takes a Core node's webhook for `block.applied` as a nudge to ask the source; its content is ignored. */
@Controller('webhooks')
export class WebhookController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<IndexerSettings, 'WEBHOOK_TOKEN'>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queues: JobQueues,
  ) {}

  @Post('block-applied')
  @HttpCode(204)
  blockApplied(@Headers('authorization') authorization = ''): void {
    const { WEBHOOK_TOKEN: token } = this.settings;
    if (token === undefined) {
      throw new ServiceUnavailableException(
        'Set WEBHOOK_TOKEN to the token that the node returned when its webhook was created.',
      );
    }
    // Digests are compared, so that the time reveals neither length nor characters.
    if (!timingSafeEqual(sha256(authorization), sha256(token.slice(0, SENT_CHARACTERS)))) {
      throw new UnauthorizedException('The token of the webhook is not WEBHOOK_TOKEN.');
    }
    this.queues.pollNow().catch((error: Error) => {
      this.logger.debug(
        { reason: error.message },
        'a webhook could not be passed on; the next poll asks the source',
      );
    });
  }
}
