import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Setting, Settings } from '@roundhouse/config';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IJob } from 'kubernetes-models/batch/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IConfigMap, ISecret, IService } from 'kubernetes-models/v1';
import type { Manifest } from './manifest.js';
import { readManifests, render } from './render.js';
import { findSchemaViolation, findUnknownProperties, nameOf } from './validate.js';

const folder = (path: string): string =>
  fileURLToPath(new URL(`../../../deploy/kubernetes/${path}`, import.meta.url));

const ofKind = <T>(manifests: readonly Manifest[], kind: string): T[] =>
  manifests.filter((manifest) => manifest.kind === kind) as unknown as T[];

const loadSettings = async (file: string, name: string): Promise<Settings> => {
  const url = new URL(`../../../apps/${file}.ts`, import.meta.url);
  return ((await import(url.href)) as Record<string, Settings>)[name]!;
};

const settingsOf = (component: string): Promise<Settings> => {
  switch (component) {
    case 'api':
      return loadSettings('api/src/api.config', 'apiSettings');
    case 'indexer':
      return loadSettings('indexer/src/indexer.config', 'indexerSettings');
    default:
      return loadSettings('indexer/src/migrate.config', 'migrateSettings');
  }
};

describe.each(['base', 'overlays/production', 'overlays/dialect'])('the manifests of %s', (path) => {
  let manifests: Manifest[];
  let workloads: (IDeployment | IJob)[];

  const podOf = (workload: IDeployment | IJob) => workload.spec!.template;
  const containerOf = (workload: IDeployment | IJob) => podOf(workload).spec!.containers[0]!;

  beforeAll(async () => {
    manifests = await render(folder(path));
    workloads = [...ofKind<IDeployment>(manifests, 'Deployment'), ...ofKind<IJob>(manifests, 'Job')];
  });

  it('are for an api, an indexer and a migration', () => {
    expect(workloads.map((workload) => containerOf(workload).args)).toEqual([
      ['indexer'],
      ['api'],
      ['migrate'],
    ]);
  });

  it('match the schemas of the Kubernetes API', () => {
    expect(manifests.map(findSchemaViolation).filter((violation) => violation !== null)).toEqual([]);
  });

  it('have only properties that the Kubernetes API knows', () => {
    expect(findUnknownProperties(manifests)).toEqual([]);
  });

  it('have unique names', () => {
    const names = manifests.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
  });

  it('run no container as root, with a writable root file system or with unneeded privileges', () => {
    for (const workload of workloads) {
      const { spec } = podOf(workload);
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        serviceAccountName: workload.metadata!.name,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(containerOf(workload).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('set resource requests and limits for each container', () => {
    for (const workload of workloads) {
      expect(containerOf(workload).resources).toEqual({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { cpu: expect.any(String), memory: expect.any(String) },
      });
    }
  });

  it('probe the internal port on which the program listens', () => {
    for (const deployment of ofKind<IDeployment>(manifests, 'Deployment')) {
      const container = containerOf(deployment);
      const [configMap] = ofKind<IConfigMap>(manifests, 'ConfigMap').filter(
        ({ metadata }) => metadata!.name === deployment.metadata!.name,
      );
      const ports = new Map(container.ports!.map(({ name, containerPort }) => [name, String(containerPort)]));
      expect(ports.get('ops')).toBe(configMap!.data!['OPS_PORT']);
      expect(ports.get('http')).toBe(configMap!.data!['PORT']);
      expect(container.livenessProbe!.httpGet).toEqual({ path: '/health/live', port: 'ops' });
      expect(container.readinessProbe!.httpGet).toEqual({ path: '/health/ready', port: 'ops' });
    }
  });

  it('set only settings that the program has and accepts, with secrets as files', async () => {
    for (const workload of workloads) {
      const [component] = containerOf(workload).args!;
      const settings = await settingsOf(component!);
      const configMaps = containerOf(workload).envFrom ?? [];
      for (const { configMapRef } of configMaps) {
        const { data } = ofKind<IConfigMap>(manifests, 'ConfigMap').find(
          ({ metadata }) => metadata!.name === configMapRef!.name,
        )!;
        for (const [name, value] of Object.entries(data!)) {
          expect({ [name]: settings[name]?.schema.safeParse(value).success }).toEqual({ [name]: true });
          expect(settings[name]!.isSecret).not.toBe(true);
        }
      }
      for (const { name } of containerOf(workload).env!) {
        if (name === 'NODE_OPTIONS') continue;
        const setting: Setting | undefined = settings[name.replace(/_FILE$/, '')];
        expect({ [name]: setting?.isSecret }).toEqual({ [name]: true });
      }
    }
  });

  it('read only files that the example of the secrets contains', async () => {
    const secrets = (await readManifests(folder('base/secrets.example.yaml'))) as unknown as ISecret[];
    for (const workload of workloads) {
      const { secretName } = podOf(workload).spec!.volumes!.find(({ name }) => name === 'secrets')!.secret!;
      const { stringData } = secrets.find(({ metadata }) => metadata!.name === secretName)!;
      const read = containerOf(workload)
        .env!.filter(({ name }) => name.endsWith('_FILE'))
        .map(({ value }) => value!.replace('/run/secrets/roundhouse/', ''));
      expect(read.sort()).toEqual(Object.keys(stringData!).sort());
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
    const pods = workloads.map((workload) => podOf(workload).metadata!.labels);
    for (const selector of [...services, ...budgets, ...policies]) expect(pods).toContainEqual(selector);
    for (const deployment of ofKind<IDeployment>(manifests, 'Deployment')) {
      expect(podOf(deployment).metadata!.labels).toEqual(deployment.spec!.selector.matchLabels);
    }
  });

  it('route the Ingress only to the public port', () => {
    const [ingress] = ofKind<IIngress>(manifests, 'Ingress');
    const { service } = ingress!.spec!.rules![0]!.http!.paths[0]!.backend;
    const target = ofKind<IService>(manifests, 'Service').find(
      ({ metadata }) => metadata!.name === service!.name,
    )!;
    expect(target.spec!.ports).toEqual([{ name: service!.port!.name, port: 80, targetPort: 'http' }]);
  });

  it('let only the Ingress controller reach the public port, and only the monitoring the internal port', () => {
    const namespaces = (port: number): (string | undefined)[] =>
      ofKind<INetworkPolicy>(manifests, 'NetworkPolicy')
        .flatMap(({ spec }) => spec!.ingress ?? [])
        .filter(({ ports }) => ports === undefined || ports.some((each) => each.port === port))
        .flatMap(({ from }) => from!)
        .map(({ namespaceSelector }) => namespaceSelector!.matchLabels!['kubernetes.io/metadata.name']);
    expect([4003, 4103, 4104].map(namespaces)).toEqual([['ingress-nginx'], ['monitoring'], ['monitoring']]);
  });

  it('let pods reach only DNS, the database, Redis and the node', () => {
    const portsOf = (component: string): unknown[] =>
      ofKind<INetworkPolicy>(manifests, 'NetworkPolicy')
        .filter(({ metadata }) => metadata!.name === `roundhouse-${component}`)
        .flatMap(({ spec }) => spec!.egress!.map(({ ports }) => ports!.map(({ port }) => port)));
    expect(portsOf('api')).toEqual([[53, 53], [5432], [6379]]);
    expect(portsOf('migrate')).toEqual([[53, 53], [5432]]);
    expect(portsOf('indexer')).toEqual([[53, 53], [5432], [6379], [443, 4003]]);
    const [everyPod] = ofKind<INetworkPolicy>(manifests, 'NetworkPolicy');
    expect(everyPod!.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  it('start no more api pods than the sessions of its role allow, also while pods are replaced', async () => {
    // POOL_SIZE of the api, the session that watches the head, MAX_STREAMS, and the POOL_SIZE of the dialect's lists.
    const sessionsPerPod = 18;
    const [autoscaler] = ofKind<IHorizontalPodAutoscaler>(manifests, 'HorizontalPodAutoscaler');
    const api = ofKind<IDeployment>(manifests, 'Deployment').find(
      ({ metadata }) => metadata!.name === autoscaler!.spec!.scaleTargetRef.name,
    )!;
    const pods = autoscaler!.spec!.maxReplicas + Number(api.spec!.strategy!.rollingUpdate!.maxSurge);
    const { API_CONNECTION_LIMIT } = await settingsOf('migrate');
    expect(pods * sessionsPerPod).toBeLessThanOrEqual(
      API_CONNECTION_LIMIT!.schema.parse(undefined) as number,
    );
  });
});

describe('the overlay for the dialect', () => {
  it('opens one port more, from the setting to a host of its own', async () => {
    const manifests = await render(folder('overlays/dialect'));
    const find = <T>(kind: string, name: string): T =>
      ofKind<T & Manifest>(manifests, kind).find(({ metadata }) => metadata.name === name)!;
    const port = Number(find<IConfigMap>('ConfigMap', 'roundhouse-api').data!['DIALECT_PORT']);
    const { containers } = find<IDeployment>('Deployment', 'roundhouse-api').spec!.template.spec!;
    expect(containers[0]!.ports).toContainEqual({ name: 'dialect', containerPort: port });
    const [fromIngress] = find<INetworkPolicy>('NetworkPolicy', 'roundhouse-api').spec!.ingress!;
    expect(fromIngress!.ports!.map((each) => each.port)).toEqual([4003, port]);
    const service = find<IService>('Service', 'roundhouse-api-dialect');
    expect(service.spec!.ports).toEqual([{ name: 'dialect', port, targetPort: 'dialect' }]);
    const [rule] = find<IIngress>('Ingress', 'roundhouse-api-dialect').spec!.rules!;
    expect(rule).toMatchObject({
      host: expect.any(String),
      http: {
        paths: [
          { path: '/', backend: { service: { name: service.metadata!.name, port: { name: 'dialect' } } } },
        ],
      },
    });
  });
});

describe('the overlay for production', () => {
  it('puts everything into its namespace and pins the version of every image', async () => {
    const manifests = await render(folder('overlays/production'));
    const places = manifests
      .filter(({ kind }) => kind !== 'Namespace')
      .map(({ metadata }) => metadata.namespace);
    expect(new Set(places)).toEqual(new Set(['roundhouse']));
    const images = JSON.stringify(manifests).match(/"image":"[^"]+"/g);
    expect(images).toEqual(Array(3).fill('"image":"registry.example.com/roundhouse:0.1.0"'));
  });
});

describe('the check itself', () => {
  const service = (spec: object): Manifest =>
    ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'planted' }, spec }) as unknown as Manifest;

  it('finds a value of the wrong type', () => {
    expect(findSchemaViolation(service({ ports: [{ port: 'eighty' }] }))).toMatch(/^Service planted: .*port/);
  });

  it('finds a kind that does not exist', () => {
    expect(findSchemaViolation({ ...service({}), kind: 'Servise' })).toBe('v1 has no Servise');
  });

  it('finds a misspelt property', () => {
    expect(findUnknownProperties([service({ selectors: {} })])).toEqual([
      expect.stringMatching(/'"selectors"' does not exist/),
    ]);
  });
});
