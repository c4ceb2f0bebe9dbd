import { readdirSync } from 'node:fs';
import type { Setting, Settings } from '@roundhouse/config';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IConfigMap, ISecret, IService } from 'kubernetes-models/v1';
import type { Manifest } from './manifest.js';
import { deployed, readManifests, render, renderWith } from './render.js';
import { findSchemaViolation, findUnknownProperties, nameOf } from './validate.js';
import { getNamed, ofKind, workloadsOf, type Workload } from './workloads.js';

/** Where the settings of each program are. */
const SETTINGS: Readonly<Record<string, readonly [file: string, name: string]>> = {
  api: ['api/src/api.config', 'apiSettings'],
  indexer: ['indexer/src/indexer.config', 'indexerSettings'],
  snapshot: ['indexer/src/snapshot.config', 'snapshotSettings'],
  migrate: ['indexer/src/migrate.config', 'migrateSettings'],
};

const settingsOf = async (program: string): Promise<Settings> => {
  const [file, name] = SETTINGS[program]!;
  const url = new URL(`../../../apps/${file}.ts`, import.meta.url);
  return ((await import(url.href)) as Record<string, Settings>)[name]!;
};

const BASE = ['roundhouse-api', 'roundhouse-indexer', 'roundhouse-migrate'];
const ARGO_CD = 'argocd.argoproj.io';

const production = render(deployed('overlays/production'));
const RENDERED: readonly (readonly [string, Promise<Manifest[]>, readonly string[]])[] = [
  ['base', render(deployed('base')), BASE],
  [
    'base and all components',
    renderWith(...readdirSync(deployed('components'))),
    [...BASE, 'roundhouse-restore', 'roundhouse-dump'],
  ],
  ['overlays/production', production, [...BASE, 'roundhouse-dump']],
];

describe('all manifests', () => {
  it('match the schemas of the Kubernetes API and of the Prometheus operator, and have only properties that these know', async () => {
    const all = (await Promise.all(RENDERED.map(([, rendered]) => rendered))).flat();
    expect(all.map(findSchemaViolation).filter((violation) => violation !== null)).toEqual([]);
    expect(findUnknownProperties(all)).toEqual([]);
  });
});

describe.each(RENDERED)('the manifests of %s', (origin, rendered, workloadNames) => {
  let manifests: Manifest[];
  let workloads: Workload[];

  beforeAll(async () => {
    manifests = await rendered;
    workloads = workloadsOf(manifests);
  });

  it('start the programs that they should, and have unique names', () => {
    expect(workloads.map(({ name }) => name).sort()).toEqual([...workloadNames].sort());
    const names = manifests.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
  });

  it('run no container as root, with a writable root file system or with unneeded privileges', () => {
    for (const { name, pod, containers } of workloads) {
      expect(pod.spec).toMatchObject({
        automountServiceAccountToken: false,
        serviceAccountName: name,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      const account = getNamed(manifests, 'ServiceAccount', name);
      expect(account).toMatchObject({ automountServiceAccountToken: false });
      for (const { securityContext } of containers)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it('set resource requests and limits for each container', () => {
    const amounts = { cpu: expect.any(String) as string, memory: expect.any(String) as string };
    for (const { resources } of workloads.flatMap(({ containers }) => containers))
      expect(resources).toEqual({ requests: amounts, limits: amounts });
  });

  it('mount only volumes and claims that exist', () => {
    for (const { pod, containers } of workloads) {
      const volumes = pod.spec!.volumes!;
      const mounted = containers.flatMap(({ volumeMounts }) => volumeMounts!.map(({ name }) => name));
      expect(new Set(mounted)).toEqual(new Set(volumes.map(({ name }) => name)));
      for (const { persistentVolumeClaim, configMap } of volumes) {
        if (persistentVolumeClaim)
          getNamed(manifests, 'PersistentVolumeClaim', persistentVolumeClaim.claimName);
        if (configMap) getNamed(manifests, 'ConfigMap', configMap.name!);
      }
    }
  });

  it('run migrate under Argo CD after what it refers to, and before everything else', () => {
    const waves: Readonly<Record<string, number>> = {
      'Namespace roundhouse': -2,
      'ServiceAccount roundhouse-migrate': -2,
      'NetworkPolicy roundhouse-migrate': -2,
      'Job roundhouse-migrate': -1,
    };
    for (const manifest of manifests) {
      const { [`${ARGO_CD}/hook`]: phase = 'Sync', [`${ARGO_CD}/sync-wave`]: wave = '0' } =
        manifest.metadata.annotations ?? {};
      const name = nameOf(manifest);
      // A hook of the phase PreSync would run before all waves.
      expect([name, phase, Number(wave)]).toEqual([name, 'Sync', waves[name] ?? 0]);
    }
    const { pod, containers } = workloads.find(({ name }) => name === 'roundhouse-migrate')!;
    expect(pod.spec!.serviceAccountName).toBe('roundhouse-migrate');
    expect(containers.flatMap(({ envFrom = [] }) => envFrom)).toEqual([]);
    // The operator creates the secret.
    expect(pod.spec!.volumes!.filter(({ secret, emptyDir }) => !secret && !emptyDir)).toEqual([]);
  });

  it('probe the internal port on which the program listens', () => {
    const deployments = ofKind<IDeployment>(manifests, 'Deployment').map(({ metadata }) => metadata!.name);
    for (const { name, containers } of workloads.filter((each) => deployments.includes(each.name))) {
      const container = containers[0]!;
      const { data } = getNamed<IConfigMap>(manifests, 'ConfigMap', name);
      const ports = new Map(container.ports!.map((port) => [port.name, String(port.containerPort)]));
      expect(ports.get('ops')).toBe(data!['OPS_PORT']);
      expect(ports.get('http')).toBe(data!['PORT']);
      expect(container.livenessProbe!.httpGet).toEqual({ path: '/health/live', port: 'ops' });
      expect(container.readinessProbe!.httpGet).toEqual({ path: '/health/ready', port: 'ops' });
    }
  });

  it('set only settings that the program has and accepts, with secrets as files', async () => {
    for (const { args, envFrom = [], env = [] } of workloads.flatMap(({ containers }) => containers)) {
      // Scripts have no settings of ours.
      if (args === undefined) continue;
      const settings = await settingsOf(args[0]!);
      for (const { configMapRef } of envFrom) {
        const { data } = getNamed<IConfigMap>(manifests, 'ConfigMap', configMapRef!.name!);
        for (const [name, value] of Object.entries(data!)) {
          expect({ [name]: settings[name]?.schema.safeParse(value).success }).toEqual({ [name]: true });
          expect(settings[name]!.isSecret).not.toBe(true);
        }
      }
      for (const { name } of env) {
        if (name === 'NODE_OPTIONS') continue;
        const setting: Setting | undefined = settings[name.replace(/_FILE$/, '')];
        expect({ [name]: setting?.isSecret }).toEqual({ [name]: true });
      }
    }
  });

  it('mount exactly the secrets that they read, which the example contains', async () => {
    const secrets = await readManifests(deployed('base/secrets.example.yaml'));
    for (const { pod, containers } of workloads) {
      const { secretName, items } = pod.spec!.volumes!.find(({ name }) => name === 'secrets')!.secret!;
      const inExample = Object.keys(getNamed<ISecret>(secrets, 'Secret', secretName!).stringData!);
      const read = containers
        .flatMap(({ env = [] }) => env)
        .filter(({ name }) => name.endsWith('_FILE'))
        .map(({ value }) => value!.replace('/run/secrets/roundhouse/', ''));
      expect(read.sort()).toEqual((items?.map(({ path }) => path) ?? inExample).sort());
      expect(inExample).toEqual(expect.arrayContaining(read));
    }
  });

  it('select pods that exist', () => {
    const services = ofKind<IService>(manifests, 'Service').map(({ spec }) => spec!.selector);
    const budgets = ofKind<IPodDisruptionBudget>(manifests, 'PodDisruptionBudget').map(
      ({ spec }) => spec!.selector!.matchLabels,
    );
    const policies = ofKind<INetworkPolicy>(manifests, 'NetworkPolicy')
      .map(({ spec }) => spec!.podSelector.matchLabels)
      .filter((labels) => labels !== undefined);
    const pods = workloads.map(({ pod }) => pod.metadata!.labels);
    for (const selector of [...services, ...budgets, ...policies]) expect(pods).toContainEqual(selector);
    for (const labels of pods) expect(policies).toContainEqual(labels);
    for (const { spec } of ofKind<IDeployment>(manifests, 'Deployment')) {
      expect(spec!.template.metadata!.labels).toEqual(spec!.selector.matchLabels);
    }
  });

  it('route the Ingress only to the public port, which it alone reaches; only the monitoring reaches the internal port', () => {
    const ingress = getNamed<IIngress>(manifests, 'Ingress', 'roundhouse-api');
    const { service } = ingress.spec!.rules![0]!.http!.paths[0]!.backend;
    const target = getNamed<IService>(manifests, 'Service', service!.name);
    expect(target.spec!.ports).toEqual([{ name: service!.port!.name, port: 80, targetPort: 'http' }]);
    const namespaces = (port: number): object[] =>
      ofKind<INetworkPolicy>(manifests, 'NetworkPolicy')
        .flatMap(({ spec }) => spec!.ingress ?? [])
        .filter(({ ports }) => ports === undefined || ports.some((each) => each.port === port))
        .flatMap(({ from }) => from!)
        .map(({ namespaceSelector }) => namespaceSelector!.matchLabels!);
    const monitoring = [{ 'kubernetes.io/metadata.name': 'monitoring' }];
    const controller =
      origin === 'base'
        ? { 'roundhouse/ingress': 'true' }
        : { 'kubernetes.io/metadata.name': 'ingress-nginx' };
    expect([4003, 4103, 4104].map(namespaces)).toEqual([[controller], monitoring, monitoring]);
  });

  it('let pods reach only DNS, the database, Redis, the node and the server of the snapshot', () => {
    const portsOf = (name: string): unknown[] =>
      getNamed<INetworkPolicy>(manifests, 'NetworkPolicy', name).spec!.egress!.map(({ ports }) =>
        ports!.map(({ port }) => port),
      );
    const expected: Record<string, number[][]> = {
      'roundhouse-api': [[53, 53], [5432], [6379]],
      'roundhouse-indexer': [[53, 53], [5432], [6379], [443, 4003]],
      'roundhouse-migrate': [[53, 53], [5432]],
      'roundhouse-dump': [[53, 53], [5432]],
      'roundhouse-restore': [[53, 53], [5432], [443]],
    };
    for (const { name } of workloads) expect(portsOf(name)).toEqual(expected[name]);
    const everyPod = getNamed<INetworkPolicy>(manifests, 'NetworkPolicy', 'default-deny');
    expect(everyPod.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  it('start no more api pods than the sessions of its role allow, also while pods are replaced', async () => {
    // POOL_SIZE of the api, the session that watches the head, MAX_STREAMS, and LIST_CONNECTIONS of libs/readers.
    const sessionsPerPod = 18;
    const [autoscaler] = ofKind<IHorizontalPodAutoscaler>(manifests, 'HorizontalPodAutoscaler');
    const api = getNamed<IDeployment>(manifests, 'Deployment', autoscaler!.spec!.scaleTargetRef.name);
    const pods = autoscaler!.spec!.maxReplicas + Number(api.spec!.strategy!.rollingUpdate!.maxSurge);
    const { API_CONNECTION_LIMIT } = await settingsOf('migrate');
    const limit = API_CONNECTION_LIMIT!.schema.parse(undefined) as number;
    expect(pods * sessionsPerPod).toBeLessThanOrEqual(limit);
  });
});

describe('the overlay for production', () => {
  it('puts everything into its namespace and pins the version of every image', async () => {
    const manifests = await production;
    const places = manifests
      .filter(({ kind }) => kind !== 'Namespace')
      .map(({ metadata }) => metadata.namespace);
    expect(new Set(places)).toEqual(new Set(['roundhouse']));
    const images = workloadsOf(manifests).flatMap(({ containers }) => containers.map(({ image }) => image));
    const pinned = ['registry.example.com/roundhouse:0.2.0-dev', 'postgres:17-bookworm'];
    expect(new Set(images)).toEqual(new Set(pinned));
  });

  it('names the subnet of the database and Redis in every policy', async () => {
    const policies = ofKind<INetworkPolicy>(await production, 'NetworkPolicy');
    const rules = policies.flatMap(({ spec }) => spec!.egress ?? []);
    const toServices = rules.filter(({ ports }) => ports!.some(({ port }) => port === 5432 || port === 6379));
    expect(toServices).toHaveLength(6);
    for (const { to } of toServices) expect(to).toEqual([{ ipBlock: { cidr: '10.0.16.0/24' } }]);
  });
});

describe('the check itself', () => {
  const service = (spec: object): Manifest =>
    ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'planted' }, spec }) as Manifest;

  it('finds a value of the wrong type, and a kind that does not exist', () => {
    expect(findSchemaViolation(service({ ports: [{ port: 'eighty' }] }))).toMatch(/^Service planted: .*port/);
    expect(findSchemaViolation({ ...service({}), kind: 'Servise' })).toBe('v1 has no Servise');
  });

  it('finds a misspelt property', () => {
    expect(findUnknownProperties([service({ selectors: {} })])).toEqual([
      expect.stringMatching(/'"selectors"' does not exist/),
    ]);
  });
});
