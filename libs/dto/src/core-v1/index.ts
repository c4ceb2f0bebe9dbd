export * from './list-rules.js';
export * from './parameters.js';
