export * from './criteria.js';
export * from './requests.js';
