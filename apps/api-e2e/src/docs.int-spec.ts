import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { plainRequest } from './support/plain-request.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

describe('docs', () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());

  it.each(['/docs', '/docs/', '/docs/v2', '/docs/v2/'])(
    'the page at %s needs nothing from outside, and all that it refers to exists',
    async (path) => {
      const page = new URL(path, served.api.url);
      const response = await fetch(page);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/html/),
      ]);
      const html = await response.text();
      expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
      const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!);
      expect(links).toContainEqual(expect.stringMatching(/swagger-ui-bundle\.js$/));
      for (const link of links) {
        const file = await fetch(new URL(link, page));
        expect([link, file.status, (await file.arrayBuffer()).byteLength > 0]).toEqual([link, 200, true]);
      }
      const script = await (
        await fetch(
          new URL(
            links.find((link) => link.endsWith('swagger-ui-init.js'))!,
            page,
          ),
        )
      ).text();
      expect(script).toContain('"validatorUrl": null');
      expect(script).toContain(path.includes('v2') ? '"/api/v2/wallets/{id}"' : '"/api/blocks/getSupply"');
    },
  );

  it('lets the page load only from this api, and lets nobody frame it', async () => {
    for (const path of ['/docs', '/docs/', '/docs/v2', '/docs/swagger-ui-init.js', '/docs/swagger-ui.css']) {
      const { headers } = await fetch(served.api.url + path);
      expect([path, headers.get('content-security-policy')]).toEqual([
        path,
        "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;" +
          "connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
      ]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
      // The server that terminates TLS sends it.
      expect(headers.get('strict-transport-security')).toBeNull();
    }
  });

  it.each<[number, string, string, Record<string, string>]>([
    [416, 'a range that no file has', '/docs/swagger-ui.css', { range: 'bytes=99999999-' }],
    [416, 'an empty range', '/docs/swagger-ui.css', { range: 'bytes=-0' }],
    [416, 'a range backwards', '/docs/swagger-ui.css', { range: 'bytes=5-4' }],
    [412, 'another tag', '/docs/swagger-ui.css', { 'if-match': '"x"' }],
    [
      412,
      'an older time',
      '/docs/swagger-ui.css',
      { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ],
    [403, 'a folder above', '/docs/../package.json', {}],
    [403, 'a folder above, encoded', '/docs/%2e%2e/package.json', {}],
    [404, 'a folder above, and its slash encoded', '/docs/..%2f..%2fetc/passwd', {}],
    [403, 'a folder above behind backslashes', '/docs/..%5c..%5cetc', {}],
    [403, 'a name too long for a file', `/docs/${'a'.repeat(4000)}`, {}],
    [404, 'a file as a folder', '/docs/swagger-ui.css/x', {}],
    [404, 'nothing', '/docs/nothing', {}],
  ])('answers %i in the shape of all errors: %s', async (status, _, path, headers) => {
    const answer = await plainRequest(served.api.url, headers, 'GET', path);
    expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      status,
      'application/json; charset=utf-8',
      'no-store',
    ]);
    expect(JSON.parse(answer.bytes.toString())).toEqual({
      success: false,
      error: expect.stringMatching(/^[A-Z].*\.$/),
    });
  });

  it('sends a part of a file for a range that it has', async () => {
    const answer = await plainRequest(`${served.api.url}/docs/swagger-ui.css`, { range: 'bytes=0-9' });
    expect([answer.status, answer.bytes.length]).toEqual([206, 10]);
    const several = await plainRequest(`${served.api.url}/docs/swagger-ui.css`, { range: 'bytes=0-1,4-5' });
    expect([several.status, several.bytes.length > 1000]).toEqual([200, true]);
  });
});
