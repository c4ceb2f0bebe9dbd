/** Converts the header, seconds or a date, to a wait in ms; null if it is missing or unreadable. */
export const retryAfterMs = (header: string | null, now: number): number | null => {
  if (header === null) return null;
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(date - now, 0);
};
