import type { ChainStatusResponse } from '@roundhouse/client';
import { clockTime } from '../format/time.js';
import { html, type Html } from '../html.js';
import type { Turn } from './turns.js';

/** When a turn is. With scripts, the clock says instead how long it is until then, or how late the block is. */
export const standing = ({ startsAt }: Turn, { network }: ChainStatusResponse): Html =>
  html`<span class="mark" data-starts="${startsAt}" data-ends="${startsAt + network.blocktime * 1000}"
    >${clockTime(startsAt)} UTC</span
  >`;
