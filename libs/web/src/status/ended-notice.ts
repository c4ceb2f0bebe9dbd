import { fullTime } from '../format/time.js';
import { html, type Content } from '../html.js';
import type { ChainStatusResponse } from '@roundhouse/client';

/** Says that the chain has ended, where and when; nothing while it lives. */
export const endedNotice = ({ ended }: Pick<ChainStatusResponse, 'ended'>): Content =>
  ended &&
  html`<p class="ended">
    This chain ended at block ${ended.height} (${ended.id}) on ${fullTime(Date.parse(ended.forgedAt))}.
    ${ended.provenAt === null ? 'Its blocks are being verified.' : 'Nothing here changes any more: every block is verified.'}
  </p>`;
