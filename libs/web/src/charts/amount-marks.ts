import { shortAmount } from '../format/amount.js';
import type { Mark } from './line.js';

/** The smallest and the largest amount. If they look the same in short, the largest is shown as the difference. */
export const amountMarks = (amounts: readonly bigint[]): Mark[] => {
  const [smallest = 0n, ...others] = [...amounts].sort((a, b) => (a < b ? -1 : 1));
  const largest = others.at(-1) ?? smallest;
  const [low, high] = [shortAmount(smallest), shortAmount(largest)];
  if (smallest === largest) return [{ level: 0.5, label: low }];
  return [
    { level: 0, label: low },
    { level: 1, label: low === high ? `+ ${shortAmount(largest - smallest)}` : high },
  ];
};
