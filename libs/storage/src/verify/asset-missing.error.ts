/** The index holds transactions that were stored without the asset that the ledger needs. */
export class AssetMissingError extends Error {
  readonly code = 'ASSET_MISSING';

  constructor(transactionId: string, height: number) {
    super(
      `Transaction ${transactionId} at height ${height} was stored by a version that kept no assets, so nothing above it ` +
        `can be computed from the stored blocks. Run "indexer reset --yes" and index again, or use another database.`,
    );
    this.name = 'AssetMissingError';
  }
}
