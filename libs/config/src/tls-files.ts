import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** The contents of the files that a URL's TLS parameters name, as PEM text. */
export interface TlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

const FILES = [
  { parameter: 'sslrootcert', name: 'ca', parse: (pem: string) => new X509Certificate(pem) },
  { parameter: 'sslcert', name: 'cert', parse: (pem: string) => new X509Certificate(pem) },
  { parameter: 'sslkey', name: 'key', parse: createPrivateKey },
] as const;

/** The URL parameters that name files for TLS, as in libpq. */
export const FILE_PARAMETERS = FILES.map(({ parameter }) => parameter);

const readPem = (parameter: string, path: string, parse: (pem: string) => unknown): string => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(
      `its ${parameter} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`,
      {
        cause: error,
      },
    );
  }
  try {
    // `createSecureContext` ignores an empty or broken file and would then trust other authorities.
    parse(text);
    return text;
  } catch (error) {
    throw new Error(`its ${parameter} names ${path}, which is not a PEM file of the right kind`, {
      cause: error,
    });
  }
};

/** Reads and checks the files that a URL names. Throws an `Error` that begins with "its <parameter> …". */
export const readTlsFiles = ({ searchParams }: URL): TlsFiles => {
  const files: { ca?: string; cert?: string; key?: string } = {};
  for (const { parameter, name, parse } of FILES) {
    const path = searchParams.get(parameter);
    if (path !== null) files[name] = readPem(parameter, path, parse);
  }
  if ((files.cert === undefined) !== (files.key === undefined)) {
    throw new Error('its sslcert and sslkey belong together: name both or neither');
  }
  try {
    createSecureContext(files);
  } catch (error) {
    throw new Error(`its sslcert and sslkey do not match (${(error as Error).message})`, {
      cause: error,
    });
  }
  return files;
};
