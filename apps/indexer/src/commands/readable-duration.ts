/** `12 s`, `3 min 05 s`, `2 h 10 min`, `4 d 03 h`: two units at most. */
export const readableDuration = (seconds: number): string => {
  const whole = Math.max(Math.round(seconds), 0);
  const two = (value: number): string => String(value).padStart(2, '0');
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  if (whole < 86_400) return `${Math.floor(whole / 3_600)} h ${two(Math.floor(whole / 60) % 60)} min`;
  return `${Math.floor(whole / 86_400)} d ${two(Math.floor(whole / 3_600) % 24)} h`;
};
