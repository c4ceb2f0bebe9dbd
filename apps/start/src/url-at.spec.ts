import { urlAt } from './url-at.js';

describe('the URL of a server', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:4003'],
    ['localhost', 'http://localhost:4003'],
    ['0.0.0.0', 'http://127.0.0.1:4003'],
    ['::1', 'http://[::1]:4003'],
    ['::', 'http://[::1]:4003'],
    ['fd00::7', 'http://[fd00::7]:4003'],
  ])('that listens on %s is %s', (host, url) => {
    expect(urlAt(host, 4003)).toBe(url);
    expect(new URL(url).port).toBe('4003');
  });
});
