import { describe, expect, it } from '@jest/globals';
import { scramVerifier } from './ensure-login-role.js';

describe('the verifier of a password', () => {
  it('matches the example of RFC 7677', () => {
    // Salt and password are the RFC's; the server signature in the RFC follows from these keys.
    expect(scramVerifier('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'))).toBe(
      'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
    );
  });

  it('differs each time and never contains the password', () => {
    const verifiers = [scramVerifier('secret'), scramVerifier('secret')];
    expect(new Set(verifiers).size).toBe(2);
    expect(verifiers.join()).not.toContain('secret');
  });
});
