export interface Timestamp {
  /** Seconds since the chain's epoch. */
  readonly epoch: number;
  /** Seconds since 1970. */
  readonly unix: number;
  readonly human: string;
}

export const presentTimestamp = (epoch: string, seconds: number): Timestamp => {
  const unix = Date.parse(epoch) / 1000 + seconds;
  return { epoch: seconds, unix, human: new Date(unix * 1000).toISOString() };
};
