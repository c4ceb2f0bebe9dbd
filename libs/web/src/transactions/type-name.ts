import type { Transaction } from '@roundhouse/client';

const CORE = [
  'Transfer',
  'Second signature',
  'Delegate registration',
  'Vote',
  'Multi-signature',
  'IPFS',
  'Multi-payment',
  'Delegate resignation',
  'Lock',
  'Claim',
  'Refund',
];

/** Types of other groups than Core's have numbers only. */
export const typeName = ({ typeGroup, type }: Pick<Transaction, 'typeGroup' | 'type'>): string =>
  (typeGroup === 1 ? CORE[type] : undefined) ?? `Type ${type} of group ${typeGroup}`;
