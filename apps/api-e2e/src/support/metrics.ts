import type { RunningApi } from '@roundhouse/api';

/** Reads one metric without labels from the internal port. */
export const readMetric = async (
  { operationsUrl }: Pick<RunningApi, 'operationsUrl'>,
  name: string,
): Promise<number> => {
  const text = await (await fetch(`${operationsUrl}/metrics`)).text();
  const [, value] = new RegExp(`^${name} (.+)$`, 'm').exec(text) ?? [];
  if (value === undefined) throw new Error(`There is no metric ${name}.`);
  return Number(value);
};
