import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { ICronJob, IJob } from 'kubernetes-models/batch/v1';
import type { IContainer, IPodTemplateSpec } from 'kubernetes-models/v1';
import type { Manifest } from './manifest.js';

export interface Workload {
  readonly name: string;
  readonly pod: IPodTemplateSpec;
  /** Those that prepare the pod come first. */
  readonly containers: readonly IContainer[];
}

export const ofKind = <T>(manifests: readonly Manifest[], kind: string): T[] =>
  manifests.filter((manifest) => manifest.kind === kind) as unknown as T[];

/** Throws if there is none. */
export const getNamed = <T>(manifests: readonly Manifest[], kind: string, name: string): T => {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found as unknown as T;
};

/** Everything that starts pods. */
export const workloadsOf = (manifests: readonly Manifest[]): Workload[] =>
  [
    ...ofKind<IDeployment | IJob>(manifests, 'Deployment'),
    ...ofKind<IJob>(manifests, 'Job'),
    ...ofKind<ICronJob>(manifests, 'CronJob').map(({ metadata, spec }) => ({
      ...spec!.jobTemplate,
      metadata,
    })),
  ].map(({ metadata, spec }) => {
    const pod = spec!.template;
    return {
      name: metadata!.name!,
      pod,
      containers: [...(pod.spec!.initContainers ?? []), ...pod.spec!.containers],
    };
  });
