// Writes the passwords and URLs that the programs of docker-compose.yml need, one folder per program. A password
// comes from a file in the given folder, from the environment, from the given URL of its role, or from an earlier run;
// otherwise it is generated.
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

const fileOf = (variable) => `${GIVEN}/${variable.toLowerCase().replaceAll('_', '-')}`;
const given = (variable) => readIfPresent(fileOf(variable)) || process.env[variable] || '';

const secretOf = (variable, keptIn, make, inUrl = '') => {
  const file = fileOf(variable);
  const [origin, value] = [
    [file, readIfPresent(file)],
    [variable, process.env[variable] ?? ''],
    [variable.replace('PASSWORD', 'URL'), inUrl],
    ['an earlier start', readIfPresent(`${SECRETS}/${keptIn}`)],
  ].find(([, text]) => text !== '') ?? ['generated', make()];
  console.log(`${variable}: ${origin}`);
  write(keptIn, value);
  return value;
};

const makePassword = () => randomBytes(24).toString('hex');
const password = (variable, keptIn, inUrl) =>
  encodeURIComponent(secretOf(variable, keptIn, makePassword, inUrl));

/** User and password of a given URL. Both are empty if there is none, or if it is no URL, which its program then says. */
const loginOf = (variable) => {
  try {
    const { username, password } = new URL(given(variable));
    return [decodeURIComponent(username), decodeURIComponent(password)];
  } catch {
    return ['', ''];
  }
};

const owner = password('POSTGRES_PASSWORD', 'owner/password');
const ownerName = loginOf('OWNER_DATABASE_URL')[0] || 'roundhouse';

/** Writes the role to which migrate grants rights, and its password. Migrate changes nothing about the owner, who has all. */
const roleOf = (program, otherwise) => {
  const name = program.toUpperCase();
  const [user, inUrl] = loginOf(`${name}_DATABASE_URL`);
  const isOwner = user === ownerName;
  const role = process.env[`${name}_ROLE`] || (!isOwner && user) || otherwise;
  write(`${program}/role`, role);
  return [role, password(`${name}_DATABASE_PASSWORD`, `${program}/password`, isOwner ? '' : inUrl)];
};

const api = roleOf('api', 'roundhouse_api');
const indexer = roleOf('indexer', 'roundhouse_indexer');
const redis = secretOf('REDIS_PASSWORD', 'redis/password', makePassword);
const apiRedis = secretOf('API_REDIS_PASSWORD', 'redis/api-password', makePassword);
secretOf('GRAFANA_PASSWORD', 'grafana/password', makePassword);

/** The URL of the stack's own PostgreSQL, used if no other is set. */
const inStack = (user, secret) => `postgres://${user}:${secret}@postgres:5432/roundhouse`;
const url = (variable, keptIn, otherwise) => write(keptIn, given(variable) || otherwise);

url('OWNER_DATABASE_URL', 'owner/database-url', inStack('roundhouse', owner));
url('API_DATABASE_URL', 'api/database-url', inStack(...api));
url('INDEXER_DATABASE_URL', 'indexer/database-url', inStack(...indexer));
const inRedis = (user, secret) => `redis://${user}:${encodeURIComponent(secret)}@redis:6379`;
url('REDIS_URL', 'indexer/redis-url', inRedis('', redis));
url('API_REDIS_URL', 'api/redis-url', given('REDIS_URL') || inRedis('api', apiRedis));
// The api only counts client requests in Redis and may do nothing else.
const apiMay = '~roundhouse:rate-limit:* resetchannels -@all +eval +evalsha +get +incrby +pexpire +pttl';
const apiHash = createHash('sha256').update(apiRedis).digest('hex');
// Redis' configuration file accepts quoted text.
write('redis/redis.conf', `requirepass ${JSON.stringify(redis)}\nuser api on #${apiHash} ${apiMay}\n`);
