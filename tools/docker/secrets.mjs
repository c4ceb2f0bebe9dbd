// Writes what docker-compose.yml's programs need to know of each other's passwords, one folder for each of them. A password
// comes from the folder of given files, from the environment, or from an earlier run; where none of them has one, it is made.
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

const GIVEN = process.env.GIVEN_DIR ?? '/given';
const SECRETS = process.env.SECRETS_DIR ?? '/secrets';

const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8').trim() : '');

/** Readable by whoever the folder is mounted for: its container alone. */
const write = (path, text) => {
  writeFileSync(`${SECRETS}/${path}`, text);
  chmodSync(`${SECRETS}/${path}`, 0o444);
};

const secretOf = (variable, keptIn, make) => {
  const file = `${GIVEN}/${variable.toLowerCase().replaceAll('_', '-')}`;
  const [origin, value] = [
    [file, readIfThere(file)],
    [variable, process.env[variable] ?? ''],
    ['an earlier start', readIfThere(`${SECRETS}/${keptIn}`)],
  ].find(([, text]) => text !== '') ?? ['made now', make()];
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

/** The stack's own server, where no other is named. */
const inStack = (user, secret) => `postgres://${user}:${secret}@postgres:5432/roundhouse`;
const given = (variable) =>
  readIfThere(`${GIVEN}/${variable.toLowerCase().replaceAll('_', '-')}`) || process.env[variable];
const url = (variable, keptIn, otherwise) => write(keptIn, given(variable) || otherwise);

url('OWNER_DATABASE_URL', 'owner/database-url', inStack('roundhouse', owner));
const { API_ROLE, INDEXER_ROLE } = process.env;
url('API_DATABASE_URL', 'api/database-url', inStack(API_ROLE || 'roundhouse_api', api));
url('INDEXER_DATABASE_URL', 'indexer/database-url', inStack(INDEXER_ROLE || 'roundhouse_indexer', indexer));
const inRedis = (user, secret) => `redis://${user}:${encodeURIComponent(secret)}@redis:6379`;
url('REDIS_URL', 'indexer/redis-url', inRedis('', redis));
url('API_REDIS_URL', 'api/redis-url', given('REDIS_URL') || inRedis('api', apiRedis));
// The api counts the requests of clients there and may do nothing else.
const apiMay = '~roundhouse:rate-limit:* resetchannels -@all +eval +evalsha +get +incrby +pexpire +pttl';
const apiHash = createHash('sha256').update(apiRedis).digest('hex');
// In quotes, as the configuration of Redis reads any text.
write('redis/redis.conf', `requirepass ${JSON.stringify(redis)}\nuser api on #${apiHash} ${apiMay}\n`);
