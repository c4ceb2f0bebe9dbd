import { z } from 'zod';

/** Grows when older programs cannot read the file. */
export const FORMAT_VERSION = 1;

const FORMAT = 'roundhouse snapshot';

export const MANIFEST = 'manifest.json';

/** Holds the checksum of the manifest as `sha256sum` writes it. */
export const MANIFEST_CHECKSUM = 'manifest.json.sha256';

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const sums = { accounts: z.string(), delegates: z.string(), locks: z.string() };

const partSchema = z.object({
  /** Its file in the archive: rows in COPY's binary form, gzipped. */
  name: z.string(),
  rows: count,
  bytes: count,
  /** Over the gzipped bytes. */
  sha256,
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(FORMAT_VERSION),
  createdAt: z.iso.datetime(),
  network: z.object({ name: z.string(), nethash: z.string() }),
  /** `supply` in arktoshi, as decimal text. */
  head: z.object({ height: z.int().min(1), id: z.string(), supply: z.string().regex(/^\d+$/) }),
  /** The lowest height that can become the head of a restored index again. */
  lowestUndo: z.int().min(1),
  /** The sums of the state at the head (docs/decisions/0011). */
  sums: z.object(sums),
  /** The newest digest of a round, as `indexer digest --at` prints it. */
  digest: z.object({ round: count, height: count, ...sums, digest: sha256 }).nullable(),
  /** The migrations of the index. */
  schema: z.array(z.string()),
  tables: z.array(
    z.object({
      name: z.string(),
      /** Name and type of each column, in the order of the values. */
      columns: z.array(z.string()),
      rows: count,
      parts: z.array(partSchema),
    }),
  ),
});

export type Manifest = z.output<typeof manifestSchema>;
export type ManifestPart = z.output<typeof partSchema>;

const versionSchema = z.object({ format: z.literal(FORMAT), version: z.int() });

/** The manifest in a JSON text; a number is the newer version of the format that it has. Null if it is no manifest. */
export const parseManifest = (text: string): Manifest | number | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const { data: named } = versionSchema.safeParse(value);
  if (named !== undefined && named.version !== FORMAT_VERSION) return named.version;
  return manifestSchema.safeParse(value).data ?? null;
};

export const manifestText = (manifest: Omit<Manifest, 'format' | 'version'>): string =>
  `${JSON.stringify({ format: FORMAT, version: FORMAT_VERSION, ...manifest } satisfies Manifest, null, 1)}\n`;
