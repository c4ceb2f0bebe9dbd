/** The index holds transactions that were stored without the asset that the ledger needs. */
export class AssetMissingError extends Error {
  readonly code = 'ASSET_MISSING';

  constructor(transactionId: string, height: number) {
    super(
      `Transaction ${transactionId} at height ${height} was stored by a version that kept no assets, so that nothing above ` +
        `can be computed from the stored blocks. Index anew ("indexer reset --yes", then run), or into another database.`,
    );
    this.name = 'AssetMissingError';
  }
}
