/** A whole number with thousands separators, exact at any size. */
export const formatWhole = (value: number | bigint): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** Hundredths of a per cent as per cent: 187 is 1.87 %. */
export const formatBasisPoints = (hundredths: number): string =>
  `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')} %`;

/** Part of a whole in hundredths of a per cent, rounded down; null if the whole is 0. */
export const basisPoints = (part: bigint, whole: bigint): number | null =>
  whole === 0n ? null : Number((part * 10_000n) / whole);

/** A number with one decimal, for rates. */
export const formatRate = (value: number): string => value.toFixed(1);

/** "1 block", "2 blocks". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatWhole(count)} ${count === 1 ? one : many}`;
