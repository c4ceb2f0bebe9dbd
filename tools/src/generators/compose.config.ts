import type { Settings } from '@roundhouse/config';
import { z } from 'zod';

const text = z.string().optional();

const setting = (otherwise: string, description: string) => ({
  schema: text,
  default: otherwise,
  description,
});

/** What docker-compose.yml hands on to the libraries that read it by themselves. */
export const libraryVariables = {
  NODE_EXTRA_CA_CERTS: setting(
    'absent',
    'A PEM file below /tls with authorities that indexer and api trust besides the usual ones.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting('absent', 'Headers for the OpenTelemetry collector: name=value,…'),
  OTEL_TRACES_SAMPLER: setting('parentbased_always_on', 'Which traces are kept.'),
  OTEL_TRACES_SAMPLER_ARG: setting('absent', 'The share of them, for the samplers that take one.'),
  OTEL_RESOURCE_ATTRIBUTES: setting('absent', 'What each trace says of where it comes from: name=value,…'),
} as const satisfies Settings;

/** What docker-compose.yml itself takes from `.env`; it hands the settings of the programs on to them. */
export const composeSettings = {
  ...libraryVariables,
  ROUNDHOUSE_VERSION: setting('0.1.0', 'The version of the image.'),
  PUBLIC_ADDRESS: setting('0.0.0.0', 'The address of this machine on which nginx answers.'),
  PUBLIC_PORT: setting('8080', 'The port on which nginx answers.'),
  PROMETHEUS_PORT: setting('9090', 'The port of Prometheus, on this machine alone.'),
  GRAFANA_PORT: setting('3000', 'The port of Grafana, on this machine alone.'),
  SECRETS_DIR: setting('deploy/secrets', 'The folder whose files hold secrets; they win over those in .env.'),
  TLS_DIR: setting('deploy/tls', 'The folder of certificates that is /tls in the containers.'),
  POSTGRES_PASSWORD: setting(
    'made at the first start',
    "The password of the database's owner, who is made with it at the first start.",
  ),
  API_DATABASE_PASSWORD: setting('made at the first start', "The password that the api's role gets."),
  INDEXER_DATABASE_PASSWORD: setting('made at the first start', "The password that the indexer's role gets."),
  REDIS_PASSWORD: setting('made at the first start', 'The password of Redis.'),
  API_REDIS_PASSWORD: setting(
    'made at the first start',
    "The password of the api's user of Redis, who may count requests and nothing else.",
  ),
  GRAFANA_PASSWORD: setting('made at the first start', 'The password of the user admin of Grafana.'),
  OWNER_DATABASE_URL: setting(
    "the stack's own PostgreSQL",
    'Where migrate changes the schema, as the owner, with another PostgreSQL than that of the stack.',
  ),
  INDEXER_DATABASE_URL: setting(
    "the stack's own PostgreSQL",
    'Where the indexer writes, under its role, with another PostgreSQL than that of the stack.',
  ),
  API_DATABASE_URL: setting(
    "the stack's own PostgreSQL",
    'Where the api reads, under its role: another PostgreSQL than that of the stack, or a replica.',
  ),
  REDIS_URL: setting("the stack's own Redis", 'Where the job queues are, with another Redis.'),
  API_REDIS_URL: setting(
    "REDIS_URL, or the stack's own Redis",
    'Where the apis count the requests of clients for RATE_LIMIT, with another Redis.',
  ),
  BLOCK_SOURCE: setting(
    'the devnet of the profile devnet',
    'Where blocks come from: see the indexer in docs/configuration.md.',
  ),
  POSTGRES_MAX_CONNECTIONS: setting('150', 'The most sessions that PostgreSQL has.'),
  POSTGRES_SHARED_BUFFERS: setting('256MB', 'What PostgreSQL keeps in memory.'),
  POSTGRES_MEMORY: setting('2g', 'The memory limit of PostgreSQL.'),
  INDEXER_MEMORY: setting('1g', 'The memory limit of an indexer.'),
  API_MEMORY: setting('512m', 'The memory limit of an api.'),
} as const satisfies Settings;
