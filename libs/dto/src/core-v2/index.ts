export * from './criteria.js';
export * from './memory-criteria.js';
export * from './requests.js';
