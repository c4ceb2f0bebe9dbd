// Writes the passwords and URLs that the programs of docker-compose.yml need, one folder per program. A password
// comes from a file in the given folder, from the environment, or from an earlier run; otherwise it is generated.
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

const GIVEN = process.env.GIVEN_DIR ?? '/given';
const SECRETS = process.env.SECRETS_DIR ?? '/secrets';

const readIfPresent = (path) => (existsSync(path) ? readFileSync(path, 'utf8').trim() : '');

/** Readable by everyone, because each folder is mounted only into its own container. */
const write = (path, text) => {
  writeFileSync(`${SECRETS}/${path}`, text);
  chmodSync(`${SECRETS}/${path}`, 0o444);
};

const secretOf = (variable, keptIn, make) => {
  const file = `${GIVEN}/${variable.toLowerCase().replaceAll('_', '-')}`;
  const [origin, value] = [
    [file, readIfPresent(file)],
    [variable, process.env[variable] ?? ''],
    ['an earlier start', readIfPresent(`${SECRETS}/${keptIn}`)],
  ].find(([, text]) => text !== '') ?? ['generated', make()];
  console.log(`${variable}: ${origin}`);
  write(keptIn, value);
  return value;
};

const makePassword = () => randomBytes(24).toString('hex');
const password = (variable, keptIn) => encodeURIComponent(secretOf(variable, keptIn, makePassword));

const owner = password('POSTGRES_PASSWORD', 'owner/password');
const api = password('API_DATABASE_PASSWORD', 'api/password');
const indexer = password('INDEXER_DATABASE_PASSWORD', 'indexer/password');
const redis = secretOf('REDIS_PASSWORD', 'redis/password', makePassword);
const apiRedis = secretOf('API_REDIS_PASSWORD', 'redis/api-password', makePassword);
secretOf('GRAFANA_PASSWORD', 'grafana/password', makePassword);

/** The URL of the stack's own PostgreSQL, used if no other is set. */
const inStack = (user, secret) => `postgres://${user}:${secret}@postgres:5432/roundhouse`;
const given = (variable) =>
  readIfPresent(`${GIVEN}/${variable.toLowerCase().replaceAll('_', '-')}`) || process.env[variable];
const url = (variable, keptIn, otherwise) => write(keptIn, given(variable) || otherwise);

url('OWNER_DATABASE_URL', 'owner/database-url', inStack('roundhouse', owner));
const { API_ROLE, INDEXER_ROLE } = process.env;
url('API_DATABASE_URL', 'api/database-url', inStack(API_ROLE || 'roundhouse_api', api));
url('INDEXER_DATABASE_URL', 'indexer/database-url', inStack(INDEXER_ROLE || 'roundhouse_indexer', indexer));
const inRedis = (user, secret) => `redis://${user}:${encodeURIComponent(secret)}@redis:6379`;
url('REDIS_URL', 'indexer/redis-url', inRedis('', redis));
url('API_REDIS_URL', 'api/redis-url', given('REDIS_URL') || inRedis('api', apiRedis));
// The api only counts client requests in Redis and may do nothing else.
const apiMay = '~roundhouse:rate-limit:* resetchannels -@all +eval +evalsha +get +incrby +pexpire +pttl';
const apiHash = createHash('sha256').update(apiRedis).digest('hex');
// Redis' configuration file accepts quoted text.
write('redis/redis.conf', `requirepass ${JSON.stringify(redis)}\nuser api on #${apiHash} ${apiMay}\n`);
