import type { Inspection } from '../inspection.js';

/** The only error statuses that a client may get while something is disturbed. */
const REFUSALS = [404, 503];

/** Checks what holds for every answer. Returns whether this one is a success that can be checked further. */
export const checkAnyAnswer = (seen: Inspection): boolean => {
  const { status, text, body, chainHeight, indexedAt, retryAfter } = seen.answer;
  if (body === null) {
    seen.expect(false, `status ${status} without a JSON object: ${text.slice(0, 100)}`);
    return false;
  }
  if (status === 200) {
    seen.equal('success', body['success'], true);
    seen.expect(chainHeight !== null && indexedAt !== null, 'has no head in X-Chain-Height and X-Indexed-At');
    return true;
  }
  seen.expect(REFUSALS.includes(status), `status ${status}: ${text.slice(0, 200)}`);
  seen.expect(
    body['success'] === false && typeof body['error'] === 'string',
    `an error of another form: ${text}`,
  );
  if (status === 503) seen.expect(retryAfter !== null, '503 without Retry-After');
  return false;
};
