import { Injectable } from '@nestjs/common';
import { accountOfLeaf, bytesOfHash, hashesIn, leafHash, merklePath, PAGE_LEAVES } from '@roundhouse/chain';
import { ReadyJson, type ProofResponseDto } from '@roundhouse/dto';
import { CertificatesReader } from '@roundhouse/readers';
import { LastingContent, type Content } from '../answers/answer-request.js';
import { noBlockYet, NotFoundError } from '../answers/errors.js';
import type { ChainView } from '../chain/chain-tracker.service.js';

const noCertificate = (height: number, heights: readonly number[]): NotFoundError =>
  new NotFoundError(
    `There is no certificate of height ${height}; ` +
      (heights.length === 0 ? 'this index has made none.' : `the newest are of ${heights.join(', ')}.`),
  );

@Injectable()
export class ProofsService {
  constructor(private readonly reader: CertificatesReader) {}

  /** The path is that within the leaf's page, and then that over the roots of all pages. Throws `NotFoundError`. */
  async getProof({ head }: ChainView, address: string, height: number): Promise<Content<ProofResponseDto>> {
    if (height > head.height) throw noBlockYet(height, head);
    const found = await this.reader.findPage(head, height, address);
    const { document, page, leaves, roots, lowestHead } = found;
    if (document === null) throw noCertificate(height, found.heights);
    const place = leaves?.findIndex((leaf) => leaf.startsWith(`${address}\t`)) ?? -1;
    if (!leaves || !roots || page === null || place < 0)
      throw new NotFoundError('There was no account with this address or public key at this height.');
    const path = [...merklePath(leaves.map(leafHash), place), ...merklePath(hashesIn(roots), page)];
    const content = {
      account: accountOfLeaf(leaves[place]!),
      index: page * PAGE_LEAVES + place,
      path: path.map((hash) => bytesOfHash(hash).toString('hex')),
      certificate: new ReadyJson(document.trimEnd()),
      success: true,
    } as const;
    return height <= lowestHead ? new LastingContent<ProofResponseDto>(content) : content;
  }
}
