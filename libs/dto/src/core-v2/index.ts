export * from './answers.js';
export * from './criteria.js';
export * from './memory-criteria.js';
export { schemaOf, type CoreParameter } from './parameters.js';
export * from './requests.js';
