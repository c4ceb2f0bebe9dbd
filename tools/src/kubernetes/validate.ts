import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Manifest } from './manifest.js';

interface Model {
  validate(): void;
}

type Models = Readonly<Record<string, new (manifest: Manifest) => Model>>;

const require = createRequire(import.meta.url);

export const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

/** Where npm has the schemas and types of an API. */
const modelsOf = ({ apiVersion }: Manifest): string =>
  apiVersion.startsWith('monitoring.coreos.com/')
    ? `@kubernetes-models/prometheus-operator/${apiVersion}`
    : `kubernetes-models/${apiVersion}`;

/** The first violation of the JSON schema of the manifest's kind, or null. */
export const findSchemaViolation = (manifest: Manifest): string | null => {
  const models = require(modelsOf(manifest)) as Models;
  const Kind = models[manifest.kind];
  if (Kind === undefined) return `${manifest.apiVersion} has no ${manifest.kind}`;
  try {
    new Kind(manifest).validate();
    return null;
  } catch (error) {
    return `${nameOf(manifest)}: ${(error as Error).message}`;
  }
};

const declare = (manifest: Manifest, index: number): string =>
  `import type { I${manifest.kind} as Kind${index} } from '${modelsOf(manifest)}';
export const manifest${index}: Kind${index} = ${JSON.stringify(manifest)};`;

const OPTIONS: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
};

/**
 * Finds properties that the kinds do not have, such as misspelt ones. The API's schemas allow them and the API
 * silently drops them, but the compiler rejects them in a literal.
 */
export const findUnknownProperties = (manifests: readonly Manifest[]): string[] => {
  const file = fileURLToPath(new URL('./manifests-under-test.ts', import.meta.url));
  const text = manifests.map(declare).join('\n');
  const disk = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => name === file || disk.fileExists(name),
    getSourceFile: (name, languageVersion, onError) =>
      name === file
        ? ts.createSourceFile(name, text, languageVersion)
        : disk.getSourceFile(name, languageVersion, onError),
  };
  const program = ts.createProgram([file], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
};
