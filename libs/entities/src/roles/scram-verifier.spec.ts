import { describe, expect, it } from '@jest/globals';
import { scramVerifier } from './scram-verifier.js';

describe('the verifier of a password', () => {
  it('is that of RFC 7677 for its example', () => {
    // Salt and password are the RFC's; the server signature in the RFC follows from these keys.
    expect(scramVerifier('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'))).toBe(
      'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
    );
  });

  it('is another each time, and never holds the password', () => {
    const verifiers = [scramVerifier('secret'), scramVerifier('secret')];
    expect(new Set(verifiers).size).toBe(2);
    expect(verifiers.join()).not.toContain('secret');
  });
});
