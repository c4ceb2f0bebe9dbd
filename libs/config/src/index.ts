export { addressMistake } from './address-mistake.js';
export { connectionLimits } from './connection-limits.js';
export { databaseUrl, resolveDatabaseUrl } from './database-url.js';
export { misspelt } from './misspelt.js';
export { OperatorError } from './operator.error.js';
export { absentWhenEmpty, logLevel, oneOf, wholeNumber, wholeNumberOf } from './parsers.js';
export { redisUrl, resolveRedisUrl } from './redis-url.js';
export { readSettings, SettingsError, type Setting, type Settings, type SettingsValues } from './settings.js';
export { tlsAdvice } from './tls-advice.js';
