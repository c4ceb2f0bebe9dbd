import type { BlockHeader } from '@roundhouse/chain';
import type { BlockDto } from '@roundhouse/dto';

/** The contract's fields are those of a header, and how many blocks lie on top of it. */
export const blockDtoOf = (header: BlockHeader, headHeight: number): BlockDto => ({
  ...header,
  confirmations: headHeight - header.height,
});
