import { z } from 'zod';
import { MANIFEST } from '../files/filled-folder.js';

const FORMAT = 'roundhouse snapshot';

/** 1: a tar archive, with the rows as they lay in the tables. 2: a folder or an archive of it, with sorted rows. */
const VERSIONS = [1, 2];

/** Holds the checksum of the manifest, and from version 2 on those of all parts, as `sha256sum` writes them. */
export const CHECKSUMS = ['manifest.json.sha256', 'SHA256SUMS'] as const;

/** The signature of the manifest as `minisign -Sm manifest.json` writes it. */
export const SIGNATURE = `${MANIFEST}.minisig`;

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const sums = { accounts: z.string(), delegates: z.string(), locks: z.string() };

const partSchema = z.object({
  /** Its file, in the folder of its table: rows in COPY's binary form, gzipped. */
  name: z.string().regex(/^[\w-]+\/[\w-][\w.-]*$/),
  /** The heights of its rows; absent if the table is written whole. */
  from: count.optional(),
  to: count.optional(),
  rows: count,
  bytes: count,
  /** Over the gzipped bytes. */
  sha256,
});

const tableSchema = z.object({
  name: z.string(),
  /** Name and type of each column, in the order of the values. */
  columns: z.array(z.string()),
  rows: count,
  /** The last height of the parts that never change again; absent if the table is written whole. */
  upTo: count.optional(),
  parts: z.array(partSchema),
});

const common = {
  format: z.literal(FORMAT),
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
  tables: z.array(tableSchema),
};

const oneFileSchema = z.object({ ...common, version: z.literal(1), createdAt: z.iso.datetime() });

const partedSchema = z.object({
  ...common,
  version: z.literal(2),
  /** Which of the data that an index may lack this one has. */
  holds: z.object({ history: z.boolean(), details: z.boolean(), claims: z.boolean() }),
  /** How many heights a part has that never changes again. */
  rangeHeights: z.int().min(1),
  /** The last block of those parts, which no fork can undo; null if there is none. */
  final: z.object({ height: count, id: z.string() }).nullable(),
});

export type PartedManifest = z.output<typeof partedSchema>;
export type Manifest = z.output<typeof oneFileSchema> | PartedManifest;
export type ManifestPart = z.output<typeof partSchema>;
export type ManifestTable = z.output<typeof tableSchema>;

/** All parts of all tables. */
export const partsOf = ({ tables }: Pick<Manifest, 'tables'>): ManifestPart[] =>
  tables.flatMap(({ parts }) => parts);

/** How many bytes parts have. */
export const bytesOf = (parts: readonly ManifestPart[]): number =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0);

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
  if (named !== undefined && !VERSIONS.includes(named.version)) return named.version;
  return z.union([oneFileSchema, partedSchema]).safeParse(value).data ?? null;
};

/** The same manifest gives the same text: keys are in the order of the schema, and it has no time of its own. */
export const manifestText = (manifest: Omit<PartedManifest, 'format' | 'version'>): string =>
  `${JSON.stringify(partedSchema.parse({ format: FORMAT, version: 2, ...manifest }), null, 1)}\n`;
