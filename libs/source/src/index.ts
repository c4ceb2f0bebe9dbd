export type { BlockSource } from './block-source.js';
