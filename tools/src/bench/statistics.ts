/** The value below which a `share` (0 to 1) of the values lies. */
export const quantile = (values: readonly number[], share: number): number => {
  if (values.length === 0) throw new RangeError('A quantile needs at least one value.');
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)]!;
};

/** The middle value, or the lower one of the two middle values. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
