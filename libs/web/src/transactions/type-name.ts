import type { Transaction } from '@roundhouse/client';

/** The types of Core, and those of its "magistrate", by group and type. */
const NAMES: Readonly<Record<number, readonly string[]>> = {
  1: [
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
  ],
  2: [
    'Business registration',
    'Business resignation',
    'Business update',
    'Bridgechain registration',
    'Bridgechain resignation',
    'Bridgechain update',
    'Entity',
  ],
};

/** Types of other groups have numbers only. */
export const typeName = ({ typeGroup, type }: Pick<Transaction, 'typeGroup' | 'type'>): string =>
  NAMES[typeGroup]?.[type] ?? `Type ${type} of group ${typeGroup}`;
