import { memoryField, type MemoryField } from './memory-criteria.js';

/** A time as nodes show it, below `path`. `epoch`: SQL of the seconds since the chain's epoch, which is $5 in seconds since 1970. */
export const timeFields = (
  path: string,
  epoch: string,
  join?: string,
): Readonly<Record<string, MemoryField>> => {
  const human = `to_char(to_timestamp(${epoch} + $5::bigint) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"')`;
  return {
    [`${path}.epoch`]: memoryField('number', epoch, join),
    [`${path}.unix`]: memoryField('number', `(${epoch} + $5::bigint)`, join),
    [`${path}.human`]: memoryField('text', human, join),
  };
};
