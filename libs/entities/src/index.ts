export { entities } from './entities/entities.js';
export { migrate } from './migrate.js';
export { migrations } from './migrations/index.js';
