import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { applyOperation, type PatchOperation } from './json-patch.js';
import { isObject, type Json, type Manifest } from './manifest.js';

/** The supported part of a kustomization. Anything else is rejected, so that nothing is silently ignored. */
const kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string().optional(),
  resources: z.array(z.string()),
  labels: z.array(z.strictObject({ pairs: z.record(z.string(), z.string()) })).default([]),
  images: z
    .array(z.strictObject({ name: z.string(), newName: z.string().optional(), newTag: z.string() }))
    .default([]),
  patches: z
    .array(
      z.strictObject({ target: z.strictObject({ kind: z.string(), name: z.string() }), patch: z.string() }),
    )
    .default([]),
});

type Kustomization = z.output<typeof kustomization>;

export const readManifests = async (file: string): Promise<Manifest[]> =>
  parseAllDocuments(await readFile(file, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]!.message}`);
    return document.toJS() as Manifest;
  });

const readResource = async (path: string): Promise<Manifest[]> =>
  (await stat(path)).isDirectory() ? render(path) : readManifests(path);

const patch = (manifests: readonly Manifest[], { patches }: Kustomization): void => {
  for (const { target, patch: operations } of patches) {
    const found = manifests.filter(
      ({ kind, metadata }) => kind === target.kind && metadata.name === target.name,
    );
    if (found.length === 0) throw new Error(`The patch of ${target.kind} ${target.name} has no target.`);
    for (const manifest of found) {
      for (const operation of parse(operations) as PatchOperation[]) applyOperation(manifest, operation);
    }
  }
};

/** Calls `visit` for each object with an `image`, at any depth. */
const forEachContainer = (value: Json, visit: (container: { image: string }) => void): void => {
  if (Array.isArray(value)) for (const item of value) forEachContainer(item, visit);
  else if (isObject(value)) {
    if (typeof value['image'] === 'string') visit(value as { image: string });
    for (const item of Object.values(value)) forEachContainer(item, visit);
  }
};

const setImages = (manifests: readonly Manifest[], { images }: Kustomization): void => {
  for (const manifest of manifests) {
    forEachContainer(manifest, (container) => {
      const image = images.find(({ name }) => name === container.image);
      if (image) container.image = `${image.newName ?? image.name}:${image.newTag}`;
    });
  }
};

const setMetadata = (manifests: readonly Manifest[], { labels, namespace }: Kustomization): void => {
  const pairs = Object.assign({}, ...labels.map((each) => each.pairs)) as Record<string, string>;
  for (const { kind, metadata } of manifests) {
    metadata.labels = { ...metadata.labels, ...pairs };
    if (namespace !== undefined && kind !== 'Namespace') metadata.namespace = namespace;
  }
};

/** Returns what `kubectl kustomize <folder>` prints, for the features that our kustomizations use. */
export const render = async (folder: string): Promise<Manifest[]> => {
  const text = await readFile(join(folder, 'kustomization.yaml'), 'utf8');
  const settings = kustomization.parse(parse(text));
  const manifests: Manifest[] = [];
  for (const resource of settings.resources) manifests.push(...(await readResource(join(folder, resource))));
  patch(manifests, settings);
  setImages(manifests, settings);
  setMetadata(manifests, settings);
  return manifests;
};
