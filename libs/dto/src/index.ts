export * from './accounts.dto.js';
export * from './blocks.dto.js';
export { ProofQueryDto, ProofResponseDto } from './certificate.dto.js';
export * from './delegates.dto.js';
export * from './events.dto.js';
export * from './history.dto.js';
export * from './loader.dto.js';
export * from './search.dto.js';
export * from './statement.dto.js';
export * from './statistics.dto.js';
export * from './status.dto.js';
export * from './transactions.dto.js';
export { ErrorResponseDto, jsonWriter, ReadyJson, writeAnswer, type DtoClass } from './answer-dto.js';
export {
  writeAccountChangeCursor,
  writeAccountCursor,
  writeBlockCursor,
  writeDayCursor,
  writeTransactionCursor,
} from './cursor.js';
export { isPublicKey } from '@roundhouse/chain';
export { assertLimit, isAddress, parseBlockChoice, type BlockChoice } from './parameters.js';
export {
  describePath,
  describeQuery,
  InvalidRequestError,
  parseParameters,
  type GivenParameters,
  type RawQuery,
} from './query-dto.js';
