import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { address, publicKey } from './support/hand-made-chain.js';
import { plainRequest } from './support/plain-request.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly nullable?: boolean;
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
}

interface Operation {
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: Readonly<Record<string, unknown>>;
        readonly content: { readonly 'application/json': { readonly schema: Schema } };
      }
    >
  >;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Its answer never ends, so it is not kept and has no tag. */
const STREAM = '/events';

describe('docs', () => {
  let served: ServedChain;
  let openApi: OpenApi;
  beforeAll(async () => {
    served = await serveChain();
    openApi = (await (await fetch(`${served.api.url}/docs/json`)).json()) as OpenApi;
  });
  afterAll(() => served.stop());

  it.each(['/docs', '/docs/'])(
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
      const script = await (await fetch(`${served.api.url}/docs/swagger-ui-init.js`)).text();
      expect(script).toContain('"validatorUrl": null');
    },
  );

  it('lets the page load only from this api, and lets nobody frame it', async () => {
    for (const path of ['/docs', '/docs/', '/docs/swagger-ui-init.js', '/docs/swagger-ui.css']) {
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

  it('documents the headers that answers have beyond the contract', async () => {
    const { headers } = await fetch(`${served.api.url}/api/blocks`);
    for (const [path, { get }] of Object.entries(openApi.paths)) {
      if (path === STREAM) continue;
      const names = Object.keys(get.responses['200']!.headers!);
      expect(names).toEqual(['X-Chain-Height', 'X-Indexed-At', 'X-Request-Id', 'ETag']);
      expect(names.filter((name) => !headers.has(name))).toEqual([]);
    }
  });

  const QUERIES: Readonly<Record<string, string>> = {
    '/api/blocks/get': '?id=18000000000000000001',
    '/api/delegates/get': '?username=new',
    '/api/delegates/voters': `?publicKey=${publicKey(1)}`,
    '/api/delegates/forging/getForgedByAccount': `?generatorPublicKey=${publicKey(1)}`,
    '/api/delegates/search': '?q=e',
    '/api/search': '?q=130',
    '/api/history/delegates/{delegate}/payouts': '?from=1&to=130',
  };

  const NAMES: Readonly<Record<string, string>> = {
    ...{ block: '130', account: 'new', address: address(1), delegate: 'new' },
  };

  it('every endpoint answers as documented', async () => {
    // The hand-made chain has no transactions; explorer.int-spec.ts compares them field by field.
    const paths = Object.keys(openApi.paths).filter((path) => !path.endsWith('{id}') && path !== STREAM);
    expect(paths.length).toBeGreaterThan(35);
    for (const path of paths) {
      const query = QUERIES[path] ?? (path.startsWith('/api/history') ? '?height=130' : '');
      const url = served.api.url + path.replace(/\{(\w+)\}/, (_, name: string) => NAMES[name]!) + query;
      const answer: unknown = await (await fetch(url)).json();
      const { schema } = openApi.paths[path]!.get.responses['200']!.content['application/json'];
      expect(differences(answer, schema, path)).toEqual([]);
    }
  });

  const resolve = (schema: Schema): Schema => {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
    return reference ? openApi.components.schemas[reference.split('/').at(-1)!]! : schema;
  };

  /** The paths at which a value differs from its schema. */
  const differences = (value: unknown, unresolved: Schema, where: string): string[] => {
    const schema = resolve(unresolved);
    if (value === null) return unresolved.nullable ? [] : [`${where} is null`];
    if (Array.isArray(value)) {
      return schema.items
        ? value.flatMap((item, index) => differences(item, schema.items!, `${where}[${index}]`))
        : [`${where} is a list`];
    }
    if (typeof value === 'object') {
      const properties = schema.properties ?? {};
      const names = Object.keys(value);
      return [
        ...(String(names) === String(Object.keys(properties)) ? [] : [`${where} has ${String(names)}`]),
        ...names.flatMap((name) =>
          differences((value as Record<string, unknown>)[name], properties[name] ?? {}, `${where}.${name}`),
        ),
      ];
    }
    const type = typeof value === 'number' ? 'integer' : typeof value;
    return type === schema.type ? [] : [`${where} is a ${type}, documented as ${schema.type}`];
  };
});
