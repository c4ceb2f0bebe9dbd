/**
 * SQL of the lowest height whose block is not older than `time`, in seconds since the chain's epoch; above `head` if all are.
 * Timestamps grow with heights, so it is found by halves.
 */
export const heightOfTime = (time: string, head: string): string => `(
  WITH RECURSIVE search AS (
    SELECT 1 AS low, ${head} + 1 AS high
    UNION ALL
    SELECT CASE WHEN b."timestamp" < ${time} THEN b.height + 1 ELSE s.low END,
      CASE WHEN b."timestamp" < ${time} THEN s.high ELSE b.height END
    FROM search s JOIN blocks b ON b.height = (s.low + s.high) / 2 WHERE s.low < s.high
  ) SELECT low FROM search WHERE low = high
)`;
