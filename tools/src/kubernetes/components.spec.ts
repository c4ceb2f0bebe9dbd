import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type {
  IPrometheusRule,
  IServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IConfigMap, IService } from 'kubernetes-models/v1';
import { parse } from 'yaml';
import { deployed, renderWith } from './render.js';
import { getNamed, ofKind, workloadsOf } from './workloads.js';

const run = promisify(execFile);

describe.each([
  ['core-v1', 'CORE_V1_PORT'],
  ['core-v2', 'CORE_V2_PORT'],
])('the component %s', (name, setting) => {
  it('opens one port more, from the setting to a host of its own', async () => {
    const manifests = await renderWith(name);
    const port = Number(getNamed<IConfigMap>(manifests, 'ConfigMap', 'roundhouse-api').data![setting]);
    const api = getNamed<IDeployment>(manifests, 'Deployment', 'roundhouse-api');
    const { containers } = api.spec!.template.spec!;
    expect(containers[0]!.ports).toContainEqual({ name, containerPort: port });
    const policy = getNamed<INetworkPolicy>(manifests, 'NetworkPolicy', 'roundhouse-api');
    expect(policy.spec!.ingress![0]!.ports!.map((each) => each.port)).toEqual([4003, port]);
    const service = getNamed<IService>(manifests, 'Service', `roundhouse-api-${name}`);
    expect(service.spec!.ports).toEqual([{ name, port, targetPort: name }]);
    const [rule] = getNamed<IIngress>(manifests, 'Ingress', `roundhouse-api-${name}`).spec!.rules!;
    const backend = { service: { name: service.metadata!.name, port: { name } } };
    expect(rule).toMatchObject({ host: expect.any(String), http: { paths: [{ path: '/', backend }] } });
  });
});

describe('the component ingress-nginx', () => {
  const seen = (manifests: Awaited<ReturnType<typeof renderWith>>) => ({
    ingresses: ofKind<IIngress>(manifests, 'Ingress').map(({ metadata, spec }) => [
      metadata!.name,
      spec!.ingressClassName,
      Object.keys(metadata!.annotations ?? {}).length,
      metadata!.annotations?.['nginx.ingress.kubernetes.io/proxy-read-timeout'],
    ]),
    from: getNamed<INetworkPolicy>(manifests, 'NetworkPolicy', 'roundhouse-api').spec!.ingress![0]!.from!.map(
      ({ namespaceSelector }) => namespaceSelector!.matchLabels,
    ),
  });

  it('alone names this controller: without it, the label of a namespace and the default class decide', async () => {
    expect(seen(await renderWith('core-v1'))).toEqual({
      ingresses: [
        ['roundhouse-api', undefined, 0, undefined],
        ['roundhouse-api-core-v1', undefined, 0, undefined],
      ],
      from: [{ 'roundhouse/ingress': 'true' }],
    });
    const nginx = { 'kubernetes.io/metadata.name': 'ingress-nginx' };
    expect(seen(await renderWith('core-v1', 'core-v2', 'ingress-nginx'))).toEqual({
      ingresses: [
        ['roundhouse-api', 'nginx', 3, '300'],
        ['roundhouse-api-core-v1', 'nginx', 4, '300'],
        ['roundhouse-api-core-v2', 'nginx', 4, '300'],
      ],
      from: [nginx],
    });
    expect(seen(await renderWith('ingress-nginx')).from).toEqual([nginx]);
  });
});

describe('the component prometheus-operator', () => {
  it('scrapes the internal port of each program, under the names that rules and dashboard use', async () => {
    const manifests = await renderWith('prometheus-operator', 'core-v1');
    const monitor = getNamed<IServiceMonitor>(manifests, 'ServiceMonitor', 'roundhouse');
    const { jobLabel, selector, endpoints } = monitor.spec;
    const [endpoint] = endpoints;
    const scraped = ofKind<IService>(manifests, 'Service').filter(
      ({ metadata, spec }) =>
        Object.entries(selector.matchLabels!).every(([name, value]) => metadata!.labels![name] === value) &&
        spec!.ports!.some(({ name }) => name === endpoint!.port),
    );
    expect(scraped.map(({ metadata }) => metadata!.labels![jobLabel!]).sort()).toEqual(['api', 'indexer']);
    expect(endpoint!.relabelings).toEqual([
      { sourceLabels: ['__meta_kubernetes_pod_name'], targetLabel: 'instance' },
    ]);
  });

  it('has the rules of deploy/monitoring', async () => {
    const manifests = await renderWith('prometheus-operator');
    const rule = getNamed<IPrometheusRule>(manifests, 'PrometheusRule', 'roundhouse');
    const file = deployed('../monitoring/prometheus/roundhouse.rules.yml');
    expect(rule.spec).toEqual(parse(await readFile(file, 'utf8')));
  });
});

describe('the component event-clients', () => {
  it('adds the metric that the adapter provides, and keeps the one of the CPU', async () => {
    const manifests = await renderWith('event-clients');
    const [autoscaler] = ofKind<IHorizontalPodAutoscaler>(manifests, 'HorizontalPodAutoscaler');
    const [cpu, clients] = autoscaler!.spec!.metrics!;
    expect(cpu!.resource!.name).toBe('cpu');
    const { metric, target } = clients!.pods!;
    const values = await readFile(
      deployed('components/event-clients/prometheus-adapter.values.yaml'),
      'utf8',
    );
    const adapter = parse(values) as { rules: { custom: { seriesQuery: string }[] } };
    const provided = adapter.rules.custom.map(({ seriesQuery }) => seriesQuery.replace(/\{.*/, ''));
    expect(provided).toEqual([metric.name]);
    const url = new URL('../../../apps/api/src/api.config.ts', import.meta.url);
    const { apiSettings } = (await import(url.href)) as {
      apiSettings: { EVENTS_MAX_CLIENTS: { schema: { parse(value: undefined): number } } };
    };
    // A pod takes the clients of another one that ends.
    const most = apiSettings.EVENTS_MAX_CLIENTS.schema.parse(undefined);
    expect(2 * Number(target.averageValue)).toBeLessThanOrEqual(most);
  });
});

describe('scripts of the components', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-script-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  describe('dumps', () => {
    const OLD = ['roundhouse-20260101T000000Z.dump', 'roundhouse-20260102T000000Z.dump'];

    /** Stands in for a program of PostgreSQL. */
    const put = async (name: string, script: string): Promise<void> => {
      await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(folder, name), 0o755);
    };

    const dump = async (): Promise<unknown> => {
      await writeFile(join(folder, 'database-url'), 'postgres://one\n');
      const PATH = `${folder}:${process.env['PATH']}`;
      const env = { PATH, KEEP: '2', DATABASE_URL_FILE: join(folder, 'database-url') };
      return run('sh', [deployed('components/dumps/dump.sh')], { cwd: folder, env });
    };

    const dumps = async (): Promise<string[]> =>
      (await readdir(folder)).filter((name) => name.startsWith('roundhouse-')).sort();

    beforeEach(async () => {
      await put('pg_dump', 'for each; do case $each in --file=*) echo "$1" > "${each#--file=}";; esac; done');
      await put('pg_restore', 'grep -q postgres "$2"');
      for (const name of [...OLD, 'roundhouse-20260103T000000Z.dump.part'])
        await writeFile(join(folder, name), 'old');
    });

    it('keeps the newest KEEP dumps', async () => {
      await dump();
      const [old, made, ...others] = await dumps();
      expect([old, others]).toEqual([OLD[1], []]);
      expect(await readFile(join(folder, made!), 'utf8')).toBe('--dbname=postgres://one\n');
    });

    it.each([
      ['pg_dump', 'fails'],
      ['pg_restore', 'cannot list the dump'],
    ])('deletes no dump if %s %s', async (program) => {
      await put(program, 'exit 1');
      await expect(dump()).rejects.toThrow();
      expect((await dumps()).filter((name) => name.endsWith('.dump'))).toEqual(OLD);
    });
  });

  describe('snapshot', () => {
    const CONTENT = 'a snapshot';
    const sumOf = (content: string): string => createHash('sha256').update(content).digest('hex');
    const FILES: Record<string, string> = {
      'manifest.json': '{}',
      'blocks/1.copy.gz': 'rows',
      SHA256SUMS: `${sumOf('{}')}  manifest.json\n${sumOf('rows')}  blocks/1.copy.gz\n`,
      'manifest.json.minisig': 'a signature',
    };
    let server: Server;

    beforeEach(async () => {
      server = createServer(({ url }, response) => {
        const file = FILES[url!.replace('/folder/', '')];
        response.statusCode = url === '/mainnet' || file !== undefined ? 200 : 404;
        response.end(file ?? CONTENT);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });

    afterEach(() => {
      server.closeAllConnections();
      server.close();
    });

    const fetchSnapshot = (
      path: string,
      content = CONTENT,
      settings: NodeJS.ProcessEnv = {},
    ): Promise<{ stdout: string }> =>
      run(process.execPath, [deployed('components/snapshot/fetch-snapshot.mjs')], {
        cwd: folder,
        env: {
          SNAPSHOT: 'mainnet.tar',
          SNAPSHOT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
          SNAPSHOT_SHA256: sumOf(content),
          ...settings,
        },
      });

    it('downloads the snapshot once', async () => {
      await fetchSnapshot('/mainnet');
      expect(await readFile(join(folder, 'mainnet.tar'), 'utf8')).toBe(CONTENT);
      const { stdout } = await fetchSnapshot('/moved');
      expect(stdout).toBe('mainnet.tar has the expected checksum.\n');
    });

    it('downloads the files of a folder once, with the signature that is wanted', async () => {
      const settings = { SNAPSHOT: 'mainnet', SNAPSHOT_PUBLIC_KEY: 'RW…' };
      await fetchSnapshot('/folder', FILES['SHA256SUMS'], settings);
      for (const [name, content] of Object.entries(FILES))
        expect(await readFile(join(folder, 'mainnet', name), 'utf8')).toBe(content);
      await fetchSnapshot('/moved', FILES['SHA256SUMS'], { SNAPSHOT: 'mainnet' });
      await writeFile(join(folder, 'mainnet', 'blocks/1.copy.gz'), 'others');
      const again = fetchSnapshot('/folder', FILES['SHA256SUMS'], settings);
      await expect(again).rejects.toThrow(/1\.copy\.gz is \w+, not \w+: delete the file/);
    });

    it('refuses a file with another checksum', async () => {
      const says = 'correct SNAPSHOT_URL or SNAPSHOT_SHA256';
      await expect(fetchSnapshot('/mainnet', 'another')).rejects.toThrow(says);
      expect(existsSync(join(folder, 'mainnet.tar'))).toBe(false);
      await writeFile(join(folder, 'mainnet.tar'), 'put here by hand');
      await expect(fetchSnapshot('/mainnet')).rejects.toThrow('delete the file');
    });

    it('says which URL does not have it', async () => {
      await expect(fetchSnapshot('/moved')).rejects.toThrow('/moved answered 404: correct SNAPSHOT_URL');
    });
  });

  it('are what the pods run, in the folder of their claim', async () => {
    const manifests = await renderWith('dumps', 'snapshot');
    const scripted = workloadsOf(manifests).flatMap(({ pod, containers }) =>
      containers.flatMap(({ name, command, workingDir, volumeMounts }) => {
        if (command === undefined) return [];
        const volumeAt = (path: string) => {
          const mount = volumeMounts!.find(({ mountPath }) => mountPath === path)!;
          return pod.spec!.volumes!.find((volume) => volume.name === mount.name)!;
        };
        const script = command[1]!.replace('/scripts/', '');
        const { data } = getNamed<IConfigMap>(manifests, 'ConfigMap', volumeAt('/scripts').configMap!.name!);
        return [[name, Object.keys(data!), script, volumeAt(workingDir!).persistentVolumeClaim!.claimName]];
      }),
    );
    expect(scripted).toEqual([
      ['fetch', ['fetch-snapshot.mjs'], 'fetch-snapshot.mjs', 'roundhouse-snapshot'],
      ['dump', ['dump.sh'], 'dump.sh', 'roundhouse-dumps'],
    ]);
  });
});
