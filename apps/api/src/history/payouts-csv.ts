import type { PayoutsResponseDto } from '@roundhouse/dto';
import type { Writing } from '../answers/answer-request.js';

export const CSV_MEDIA_TYPE = 'text/csv';

/** One line per payout, below a line with the names of the columns. Amounts in arktoshi; the totals are in the JSON only. */
export const AS_CSV: Writing<PayoutsResponseDto> = {
  contentType: `${CSV_MEDIA_TYPE}; charset=utf-8`,
  headers: [],
  write: ({ payouts }) =>
    `address,amount\n${payouts.map(({ address, amount }) => `${address},${amount}\n`).join('')}`,
};
