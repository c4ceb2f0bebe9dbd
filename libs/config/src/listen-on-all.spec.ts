import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listenOnAll, type Listener } from './listen-on-all.js';
import { OperatorError } from './operator.error.js';

const HOST = '127.0.0.1';

describe('listening on all ports', () => {
  let servers: Server[];
  let taken: number;

  const on = (setting: string, port: number, host = HOST): Listener => {
    const listen = async (): Promise<void> => {
      const server = createServer();
      servers.push(server);
      server.listen(port, host);
      await once(server, 'listening');
    };
    return { setting, port, listen };
  };

  const refusal = (host: string, ...listeners: Listener[]): Promise<unknown> =>
    listenOnAll(host, listeners).catch((error: unknown) => error);

  beforeEach(async () => {
    servers = [];
    await on('', 0).listen();
    taken = (servers[0]!.address() as AddressInfo).port;
  });

  afterEach(() => {
    for (const server of servers) server.close();
  });

  it('listens with each, in this order', async () => {
    await listenOnAll(HOST, [on('PORT', 0), on('OPS_PORT', 0)]);
    expect(servers.map(({ listening }) => listening)).toEqual([true, true, true]);
  });

  it('refuses equal ports before it listens', async () => {
    expect(await refusal(HOST, on('PORT', 0), on('OPS_PORT', taken), on('CORE_V1_PORT', taken))).toEqual(
      new OperatorError(`OPS_PORT and CORE_V1_PORT are both ${taken}: set one of them to another number.`),
    );
    expect(servers).toHaveLength(1);
  });

  it('tells all ports that are in use at once', async () => {
    await on('', 0).listen();
    const { port } = servers[1]!.address() as AddressInfo;
    expect(await refusal(HOST, on('OPS_PORT', taken), on('PORT', port))).toEqual(
      new OperatorError(
        `OPS_PORT ${taken} is in use on ${HOST}: stop the other program or set another OPS_PORT. ` +
          `PORT ${port} is in use on ${HOST}: stop the other program or set another PORT.`,
      ),
    );
  });

  it.each([
    ['192.0.2.1', 'EADDRNOTAVAIL'],
    ['no-such-host.invalid', 'ENOTFOUND'],
  ])('says once that %s is no address of this machine', async (host, code) => {
    // Without a resolver, the code differs.
    expect(String(await refusal(host, on('PORT', 0, host), on('OPS_PORT', 0, host)))).toMatch(
      new RegExp(
        `^OperatorError: Nothing can listen on ${host} \\((${code}|EAI_AGAIN)\\): set HOST to an address of this machine\\.$`,
      ),
    );
  });

  it.each([
    new Error('The endpoint X has a guard.'),
    Object.assign(new Error('getaddrinfo ENOTFOUND db.example'), {
      code: 'ENOTFOUND',
      syscall: 'getaddrinfo',
      hostname: 'db.example',
    }),
  ])('throws what is not about listening as it is: $message', async (error) => {
    expect(await refusal(HOST, { setting: 'PORT', port: 0, listen: () => Promise.reject(error) })).toBe(
      error,
    );
  });
});
