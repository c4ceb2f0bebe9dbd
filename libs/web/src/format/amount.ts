import { html, type Html } from '../html.js';
import { formatWhole } from './numbers.js';

const ARKTOSHI_PER_TOKEN = 100_000_000n;

interface Unit {
  /** The unit is used from this number of tokens on. */
  readonly from: bigint;
  readonly tokens: bigint;
  readonly name: string;
}

const TOKENS: Unit = { from: 0n, tokens: 1n, name: '' };

const UNITS: readonly Unit[] = [
  { from: 1_000_000_000n, tokens: 1_000_000_000n, name: ' B' },
  { from: 1_000_000n, tokens: 1_000_000n, name: ' M' },
  { from: 10_000n, tokens: 1000n, name: ' k' },
];

/** All digits of an amount in tokens: 13092005600000001 is "130,920,056.00000001". */
export const exactAmount = (arktoshi: bigint): string => {
  const size = arktoshi < 0n ? -arktoshi : arktoshi;
  const fraction = String(size % ARKTOSHI_PER_TOKEN).padStart(8, '0');
  return `${arktoshi < 0n ? '-' : ''}${formatWhole(size / ARKTOSHI_PER_TOKEN)}.${fraction}`;
};

/** An amount in tokens, shortened for quick reading, never rounded up: "130.92 M", "12.5 k", "3.17", "< 0.01". */
export const shortAmount = (arktoshi: bigint): string => {
  const size = arktoshi < 0n ? -arktoshi : arktoshi;
  const sign = arktoshi < 0n ? '-' : '';
  const { tokens, name } = UNITS.find(({ from }) => size >= from * ARKTOSHI_PER_TOKEN) ?? TOKENS;
  const hundredths = (size * 100n) / (tokens * ARKTOSHI_PER_TOKEN);
  if (hundredths === 0n && size > 0n) return sign === '' ? '< 0.01' : '> -0.01';
  const fraction = String(hundredths % 100n)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return `${sign}${formatWhole(hundredths / 100n)}${fraction && `.${fraction}`}${name}`;
};

/** Both forms. The style sheet shows one of them, depending on the switch "All digits". */
export const amount = (arktoshi: bigint, symbol: string): Html => {
  const exact = exactAmount(arktoshi);
  return html`<data class="amount" value="${arktoshi}" title="${exact} ${symbol}"
    ><span class="short">${shortAmount(arktoshi)}</span><span class="exact">${exact}</span
    ><span class="symbol"> ${symbol}</span></data
  >`;
};
