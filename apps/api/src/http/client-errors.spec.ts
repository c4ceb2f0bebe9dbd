import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { clientErrorHandler } from './client-errors.js';
import { problemBody } from './problem.js';

describe('clientErrorHandler', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.close();
  });

  it('answers 408 in the shape of all errors if a request does not arrive', async () => {
    server = createServer({ connectionsCheckingInterval: 20, headersTimeout: 50, requestTimeout: 50 });
    server.on(
      'clientError',
      clientErrorHandler(
        () => true,
        problemBody,
        () => ['X-More', 'yes'],
      ) as (error: Error) => void,
    );
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /api/blocks HT');
    let received = '';
    for await (const chunk of socket) received += String(chunk);
    expect(received).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(received).toMatch(/X-More: yes\r\n/);
    expect(received).toMatch(/Connection: close\r\n/);
    expect(received).toMatch(/\r\n\r\n{"success":false,"error":"The request took too long to arrive."}$/);
  });
});
