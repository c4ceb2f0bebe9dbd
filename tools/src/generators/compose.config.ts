import type { Settings } from '@roundhouse/config';
import { z } from 'zod';

const text = z.string().optional();

const setting = (otherwise: string, description: string) => ({
  schema: text,
  default: otherwise,
  description,
});

const generated = (description: string) => setting('generated once', description);

/** The variables that docker-compose.yml passes to libraries, which read them themselves. */
export const libraryVariables = {
  NODE_EXTRA_CA_CERTS: setting('absent', 'A PEM file below /tls with further authorities to trust.'),
  OTEL_EXPORTER_OTLP_HEADERS: setting('absent', 'Headers for the OpenTelemetry collector: name=value,…'),
  OTEL_TRACES_SAMPLER: setting('parentbased_always_on', 'Which traces are kept.'),
  OTEL_TRACES_SAMPLER_ARG: setting('absent', 'The share of traces to keep, if the sampler needs one.'),
  OTEL_RESOURCE_ATTRIBUTES: setting('absent', 'Attributes of the origin of each trace: name=value,…'),
} as const satisfies Settings;

/**
 * The variables that docker-compose.yml itself reads from `.env`. The settings of the programs are passed on to them.
 */
export const composeSettings = {
  ...libraryVariables,
  ROUNDHOUSE_VERSION: setting('0.2.0-dev', 'The version of the image.'),
  PUBLIC_ADDRESS: setting('0.0.0.0', 'The address of this machine on which nginx listens.'),
  PUBLIC_PORT: setting('8080', 'The port of nginx.'),
  PROMETHEUS_PORT: setting('9090', 'The port of Prometheus, reachable only from this machine.'),
  GRAFANA_PORT: setting('3000', 'The port of Grafana, reachable only from this machine.'),
  SECRETS_DIR: setting('deploy/secrets', 'The folder of secret files. They take precedence over .env.'),
  SNAPSHOT_DIR: setting('deploy/snapshots', 'The folder of snapshots, /snapshots in the containers.'),
  CHAIN_DIR: setting('deploy/chain', 'The folder of archives and network files, /chain in the containers.'),
  TLS_DIR: setting('deploy/tls', 'The folder of certificates, /tls in the containers.'),
  POSTGRES_PASSWORD: generated("The password of the database's owner."),
  API_DATABASE_PASSWORD: setting(
    'the password in API_DATABASE_URL, or generated',
    "The password of the api's role.",
  ),
  INDEXER_DATABASE_PASSWORD: setting(
    'the password in INDEXER_DATABASE_URL, or generated',
    "The password of the indexer's role.",
  ),
  REDIS_PASSWORD: generated('The password of Redis.'),
  API_REDIS_PASSWORD: generated("The password of the api's user in Redis."),
  GRAFANA_PASSWORD: generated('The password of the user admin in Grafana.'),
  OWNER_DATABASE_URL: setting(
    "the stack's own PostgreSQL",
    "Your own PostgreSQL. The URL's user is the database's owner.",
  ),
  INDEXER_DATABASE_URL: setting(
    "the stack's own PostgreSQL",
    "Your own PostgreSQL. The URL's user is the indexer's role.",
  ),
  API_DATABASE_URL: setting(
    "the stack's own PostgreSQL",
    "Your own PostgreSQL, or a replica. The URL's user is the api's role.",
  ),
  REDIS_URL: setting("the stack's own Redis", 'Your own Redis, for the job queues.'),
  API_REDIS_URL: setting(
    "REDIS_URL, or the stack's own Redis",
    'Your own Redis, in which the apis count requests for RATE_LIMIT.',
  ),
  BLOCK_SOURCE: setting(
    'the devnet of the profile devnet',
    'Where blocks come from: see the indexer in docs/configuration.md.',
  ),
  POSTGRES_MAX_CONNECTIONS: setting('150', 'The most sessions in PostgreSQL.'),
  POSTGRES_SHARED_BUFFERS: setting('256MB', "The size of PostgreSQL's cache in memory."),
  POSTGRES_MEMORY: setting('2g', 'The memory limit of PostgreSQL.'),
  WAL_ARCHIVE: setting(
    'off',
    'on: PostgreSQL archives its WAL. The profile `backup` needs this, and removes old WAL.',
  ),
  WAL_ARCHIVE_TIMEOUT: setting(
    '60',
    'WAL is archived after at most this many seconds. If the volume is lost, changes that are not archived are lost, too.',
  ),
  BACKUP_DIR: setting(
    'backup, a volume',
    'The folder or volume of backups and archived WAL, best on another disk.',
  ),
  BACKUP_EVERY: setting('86400', 'How often a base backup is made, in seconds.'),
  BACKUP_KEEP: setting('7', 'How many base backups are kept, with all WAL since the oldest.'),
  DUMP_EVERY: setting('604800', 'How often a dump is made, in seconds; 0 is off.'),
  DUMP_KEEP: setting('2', 'How many dumps are kept.'),
  INDEXER_MEMORY: setting('1g', 'The memory limit of an indexer.'),
  API_MEMORY: setting('512m', 'The memory limit of an api. If you change it, also set API_NODE_OPTIONS.'),
  API_NODE_OPTIONS: setting(
    'absent',
    "Options of Node.js for an api. For example, --max-old-space-size=700 replaces the image's 192 MiB.",
  ),
} as const satisfies Settings;
