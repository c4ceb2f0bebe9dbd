import dns from 'node:dns';
import { jest } from '@jest/globals';
import { postedBody, postEvent, PostError } from './post-event.js';
import { TestReceiver } from './receiver.harness.js';

const TOKEN = '0123456789abcdef0123456789abcdef';
const body = postedBody('block.applied', '{"height":7}', 1_700_000_000_000);
const anywhere = { timeoutMs: 60_000, allowsPrivate: true };

describe('a post to a receiver', () => {
  let receiver: TestReceiver;

  beforeEach(async () => {
    receiver = await TestReceiver.start();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await receiver.close();
  });

  const failure = (url: string, over: object = {}): Promise<unknown> =>
    postEvent(url, TOKEN, body, { ...anywhere, ...over }).then(
      () => null,
      (error: unknown) => error,
    );

  it('is accepted by a status of 2xx, however much or slowly the receiver goes on to talk', async () => {
    receiver.respond = (response) => {
      response.writeHead(202);
      const talk = (): void => {
        if (!response.destroyed) response.write('x'.repeat(1_000_000), talk);
      };
      talk();
    };
    expect(await failure(receiver.url)).toBeNull();
    expect(receiver.received[0]!.body).toBe(
      '{"timestamp":1700000000000,"data":{"height":7},"event":"block.applied"}',
    );
  });

  it.each([301, 302, 307, 308, 400, 410, 500])('is not accepted by %i', async (status) => {
    receiver.respond = (response) =>
      void response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end();
    expect(await failure(receiver.url)).toEqual(new PostError(`it answered ${status}`));
    expect(receiver.received.map(({ path }) => path)).toEqual(['/']);
  });

  it('is not accepted by a receiver that would go on in another protocol', async () => {
    receiver.respond = (response) =>
      void response.socket!.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n',
      );
    expect(await failure(receiver.url)).toEqual(new PostError('it answered 101'));
  });

  it.each<[string, (response: import('node:http').ServerResponse) => void]>([
    ['says nothing', () => undefined],
    [
      'sends its headers byte by byte',
      (response) => {
        response.socket!.write('HTTP/1.1 200 OK\r\nname: ');
        const timer = setInterval(() => response.socket!.write('x'), 20).unref();
        response.socket!.once('close', () => clearInterval(timer));
      },
    ],
  ])('ends after its time if the receiver %s', async (_name, respond) => {
    receiver.respond = respond;
    const error = await failure(receiver.url, { timeoutMs: 300 });
    expect(error).toEqual(new PostError('no answer within 300 ms'));
  });

  it('does not reach a private address, by whatever name', async () => {
    const { port } = new URL(receiver.url);
    const closed = { allowsPrivate: false };
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0177.0.0.1', 'localhost'])
      expect([host, await failure(`http://${host}:${port}/`, closed)]).toEqual([
        host,
        expect.objectContaining({ message: expect.stringContaining('is private') }),
      ]);
    expect(receiver.received).toEqual([]);
  });

  it('asks for the address at each post and refuses a name that has only private ones', async () => {
    const { port } = new URL(receiver.url);
    const resolved = [['127.0.0.1'], ['::ffff:10.0.0.1'], ['10.0.0.1', 'fe80::1']];
    const asked: string[] = [];
    jest.spyOn(dns, 'lookup').mockImplementation(((
      host: string,
      _options: object,
      done: (error: null, found: object[]) => void,
    ) => {
      asked.push(host);
      const addresses = resolved
        .shift()!
        .map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      done(null, addresses);
    }) as never);
    for (let times = 0; times < 3; times += 1)
      expect(await failure(`http://rebinds.example:${port}/`, { allowsPrivate: false })).toMatchObject({
        message: expect.stringContaining('is private'),
      });
    expect(asked).toEqual(['rebinds.example', 'rebinds.example', 'rebinds.example']);
    expect(receiver.received).toEqual([]);
  });

  it('is sent without the credentials of the address, also if they cannot be decoded', async () => {
    for (const credentials of ['user:secret', '%80:x', 'x:%80'])
      expect(await failure(receiver.url.replace('://', `://${credentials}@`))).toBeNull();
    const authorizations = receiver.received.map(({ headers }) => new Map(headers).get('Authorization'));
    expect(authorizations).toEqual([TOKEN, TOKEN, TOKEN]);
  });

  it('goes to http:// and https:// alone', async () => {
    expect(await failure('ftp://127.0.0.1/x')).toMatchObject({ message: expect.stringContaining('http://') });
  });
});
