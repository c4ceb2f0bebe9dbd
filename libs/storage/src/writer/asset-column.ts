import type { TransactionAsset } from '@roundhouse/chain';

/** An asset as its JSON column stores it: as in the domain, but with amounts as decimal text. */
export type AssetColumn = Omit<TransactionAsset, 'payments'> & {
  readonly payments?: readonly (readonly [recipientId: string, amount: string])[];
};

export const assetColumn = ({ payments, ...rest }: TransactionAsset): AssetColumn =>
  payments === undefined
    ? rest
    : { ...rest, payments: payments.map(({ recipientId, amount }) => [recipientId, amount.toString()]) };

export const assetOf = ({ payments, ...rest }: AssetColumn): TransactionAsset =>
  payments === undefined
    ? rest
    : {
        ...rest,
        payments: payments.map(([recipientId, amount]) => ({ recipientId, amount: BigInt(amount) })),
      };
