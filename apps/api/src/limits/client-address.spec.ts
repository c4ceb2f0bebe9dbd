import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { clientOf } from './client-address.js';

describe('the client of a request', () => {
  it.each([0, 1])('has a name even if the connection is gone (behind %i proxies)', (proxies) => {
    const headers = { 'x-forwarded-for': 'x' };
    const gone = { headers, socket: { remoteAddress: '' } } as unknown as IncomingMessage;
    expect(clientOf(proxies)(gone)).toBe('unknown');
  });

  it.each(['nowhere', '1.2.3.4/99', ''])(
    'cannot be determined if %p is configured as a trusted proxy',
    (address) => {
      expect(() => clientOf([address])).toThrow(TypeError);
    },
  );
});
