import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type TestDatabase } from '@roundhouse/testing';
import { startApiProcess, type ApiProcess } from './support/api-process.js';
import { readMetric } from './support/metrics.js';
import { connectTo, plainRequest } from './support/plain-request.js';
import { seededDatabase } from './support/seed.js';

const MEBIBYTE = 1024 * 1024;

const IDLE = 5000;

const LIST = 'GET /api/blocks?limit=100 HTTP/1.1\r\nHost: here\r\n\r\n';

const HEAD = 'HEAD /api/blocks HTTP/1.1\r\nHost: here\r\n\r\n';

/** As many requests as one read of the server returns. */
const HEADS = HEAD.repeat(Math.ceil((64 * 1024) / HEAD.length));

/** Generous for a busy machine. */
const PATIENCE_MS = 15_000;

/** Other clients request it all the time. */
const PLAIN = '/api/blocks/getHeight';

describe('while others misbehave', () => {
  let testDatabase: TestDatabase;
  let api: ApiProcess;
  let sockets: Socket[] = [];

  beforeAll(async () => {
    testDatabase = await seededDatabase();
    api = await startApiProcess({
      DATABASE_URL: testDatabase.url,
      MAX_CONNECTIONS: String(IDLE + 500),
      // With V8's own limit, the garbage of a burst would count as memory that is taken.
      NODE_OPTIONS: '--max-old-space-size=192',
    });
  });

  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    api.kill('SIGKILL');
    await api.ended;
    await testDatabase.drop();
  });

  const open = async (from?: string): Promise<Socket> => {
    const socket = connectTo(api.url, from);
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };

  const openMany = async (
    count: number,
    each: (socket: Socket) => void,
    from?: string,
  ): Promise<Socket[]> => {
    const opened: Socket[] = [];
    while (opened.length < count) {
      const next = Math.min(200, count - opened.length);
      const some = await Promise.all(Array.from({ length: next }, () => open(from)));
      some.forEach(each);
      opened.push(...some);
    }
    return opened;
  };

  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  };

  /** The slowest of some requests, sent one after the other, each on its own connection. */
  const slowestOf = async (times: number): Promise<number> => {
    let slowest = 0;
    for (let time = 0; time < times; time += 1) {
      const startedAt = performance.now();
      const { status } = await plainRequest(`${api.url}${PLAIN}?${time}`, { Connection: 'close' });
      // If the process stalls, it has no confirmed head for a moment.
      expect([200, 503]).toContain(status);
      slowest = Math.max(slowest, performance.now() - startedAt);
    }
    return slowest;
  };

  /** The memory of the process, and the processor time that it has used. */
  const readCosts = async (): Promise<{ readonly bytes: number; readonly seconds: number }> => ({
    bytes: await readMetric(api, 'process_resident_memory_bytes'),
    seconds: await readMetric(api, 'process_cpu_seconds_total'),
  });

  it('5,000 idle connections, used or unused, keep no other client from an answer and take little memory', async () => {
    await slowestOf(20);
    const before = await readCosts();
    let isUsed = false;
    await openMany(IDLE, (socket) => {
      isUsed = !isUsed;
      if (isUsed) socket.write(`GET ${PLAIN} HTTP/1.1\r\nHost: here\r\n\r\n`);
      socket.resume();
    });
    expect(await slowestOf(20)).toBeLessThan(PATIENCE_MS);
    expect((await readCosts()).bytes - before.bytes).toBeLessThan(200 * MEBIBYTE);
  });

  it('beyond MAX_CONNECTIONS, idle kept connections make room', async () => {
    await openMany(700, (socket) => socket.resume());
    await eventually('new connections are served', async () => {
      await slowestOf(1);
      return true;
    });
    closeAll();
  });

  it('beyond MAX_CONNECTIONS, an address that sends no whole head makes room', async () => {
    await openMany(IDLE + 600, (socket) => socket.write('GET / HTTP/1.1\r\n'), '127.0.0.2');
    // The api ends them after 10 s.
    await eventually('another address is served', async () => (await slowestOf(1)) > 0, 5_000);
    closeAll();
  });

  it('clients that request much and read nothing delay no other client, and little is kept for them', async () => {
    await slowestOf(20);
    const before = await readCosts();
    // All answers together would be more than 100 MiB for each client.
    await openMany(50, (socket) => {
      socket.pause();
      socket.write(LIST.repeat(2000));
    });
    expect(await slowestOf(20)).toBeLessThan(PATIENCE_MS);
    const after = await readCosts();
    expect(after.bytes - before.bytes).toBeLessThan(250 * MEBIBYTE);
    // Processor time, so a busy machine makes no difference. An api that answered all requests used 5 s.
    expect(after.seconds - before.seconds).toBeLessThan(3);
    closeAll();
  });

  it('a client that pipelines is answered in order, however many requests it sends', async () => {
    const ask = (height: number): string =>
      `GET /api/blocks?limit=1&offset=${130 - height} HTTP/1.1\r\nHost: here\r\n\r\n`;
    const heightsIn = (text: string): number[] =>
      [...text.matchAll(/"height":(\d+)/g)].map(([, height]) => Number(height));
    const heights = Array.from({ length: 100 }, (_, index) => index + 1);
    const greedy = await open();
    let received = '';
    greedy.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    for (let time = 0; time < 5; time += 1) {
      received = '';
      greedy.write(heights.map(ask).join(''));
      await eventually('all are answered', () => heightsIn(received).length === heights.length);
      expect(heightsIn(received)).toEqual(heights);
      expect(received).not.toContain('Connection: close');
    }
  });

  it('a client that pipelines without end behind a stream of events is cut off, and little is kept for it', async () => {
    const before = await readCosts();
    const endless = await open();
    endless.resume();
    endless.write('GET /events HTTP/1.1\r\nHost: here\r\n\r\n');
    let sentBytes = 0;
    while (!endless.destroyed && sentBytes < 64 * MEBIBYTE) {
      // The cut is an error here, and expected.
      if (!endless.write(HEADS)) await once(endless, 'drain').catch(() => undefined);
      sentBytes += HEADS.length;
    }
    await eventually('it is cut off', () => endless.closed);
    expect(await slowestOf(20)).toBeLessThan(PATIENCE_MS);
    expect((await readCosts()).bytes - before.bytes).toBeLessThan(100 * MEBIBYTE);
  });

  it('many clients that pipeline behind such streams at the same time are cut off, and little is kept for them', async () => {
    const before = await readCosts();
    const many = await openMany(400, (socket) => void socket.resume());
    // Sent together: the bytes of one read arrive before the first connection is ended.
    for (const socket of many) socket.write('GET /events HTTP/1.1\r\nHost: here\r\n\r\n' + HEADS);
    await eventually('all are cut off', () => many.every(({ closed }) => closed));
    expect(await slowestOf(20)).toBeLessThan(PATIENCE_MS);
    expect((await readCosts()).bytes - before.bytes).toBeLessThan(250 * MEBIBYTE);
  });

  it('all connections together may have only a limited amount of requests waiting', async () => {
    const before = await readCosts();
    // Each alone is below the limit for one connection.
    const modest = 'GET /events HTTP/1.1\r\nHost: here\r\n\r\n' + HEAD.repeat(100);
    const many = await openMany(600, (socket) => {
      socket.resume();
      socket.write(modest);
    });
    await eventually('some are cut off', () => many.some(({ closed }) => closed));
    await slowestOf(20);
    expect(many.some(({ closed }) => !closed)).toBe(true);
    expect((await readCosts()).bytes - before.bytes).toBeLessThan(250 * MEBIBYTE);
    closeAll();
    await eventually('another client may pipeline', async () => {
      const socket = await open();
      let received = '';
      socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
      socket.write(HEAD.repeat(50));
      await eventually(
        'it is answered or cut off',
        () => socket.closed || received.split('HTTP/1.1 ').length === 51,
      );
      return !socket.closed;
    });
    closeAll();
  });

  it('clients that send their headers bit by bit are told that it takes too long', async () => {
    const answers: string[] = [];
    const slow = await openMany(200, (socket) => {
      socket.write('GET /api/blocks HTTP/1.1\r\nHost: here\r\n');
      socket.on('data', (chunk: Buffer) => answers.push(chunk.toString('latin1')));
    });
    const drip = setInterval(() => slow.forEach((socket) => socket.writable && socket.write('X')), 500);
    try {
      expect(await slowestOf(20)).toBeLessThan(PATIENCE_MS);
      await eventually('all are sent away', () => slow.every(({ closed }) => closed));
    } finally {
      clearInterval(drip);
    }
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"success":false,"error":"The request took too long/);
    }
  });

  it('many clients that pipeline and read nothing do not keep the process from stopping in time', async () => {
    await openMany(200, (socket) => {
      socket.pause();
      socket.write('GET /events HTTP/1.1\r\nHost: here\r\n\r\n' + HEAD.repeat(50));
      socket.write(LIST.repeat(20));
    });
    await slowestOf(5);
    const startedAt = performance.now();
    api.kill('SIGTERM');
    expect(await api.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
