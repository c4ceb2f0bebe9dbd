import type { Inspection } from '../inspection.js';

/** What an answer may be when all is not well: of these alone a client is told. */
const REFUSALS = [404, 503];

/** What holds for every answer; whether the one at hand is a success that has more to be looked at. */
export const checkAnyAnswer = (seen: Inspection): boolean => {
  const { status, text, body, chainHeight, indexedAt, retryAfter } = seen.answer;
  if (body === null) {
    seen.expect(false, `status ${status} with what is no JSON object: ${text.slice(0, 100)}`);
    return false;
  }
  if (status === 200) {
    seen.equal('success', body['success'], true);
    seen.expect(
      chainHeight !== null && indexedAt !== null,
      'names no head in X-Chain-Height and X-Indexed-At',
    );
    return true;
  }
  seen.expect(REFUSALS.includes(status), `status ${status}: ${text.slice(0, 200)}`);
  seen.expect(
    body['success'] === false && typeof body['error'] === 'string',
    `an error of another shape: ${text}`,
  );
  if (status === 503) seen.expect(retryAfter !== null, '503 without Retry-After');
  return false;
};
