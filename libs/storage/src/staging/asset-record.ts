import type { TransactionAsset } from '@roundhouse/chain';

/** An asset as JSON keeps it: as in the domain, but for the payments, whose amounts are decimal text. */
export type AssetRecord = Omit<TransactionAsset, 'payments'> & {
  readonly payments?: readonly (readonly [recipientId: string, amount: string])[];
};

export const assetRecord = ({ payments, ...rest }: TransactionAsset): AssetRecord =>
  payments === undefined
    ? rest
    : { ...rest, payments: payments.map(({ recipientId, amount }) => [recipientId, amount.toString()]) };

export const assetOf = ({ payments, ...rest }: AssetRecord): TransactionAsset =>
  payments === undefined
    ? rest
    : {
        ...rest,
        payments: payments.map(([recipientId, amount]) => ({ recipientId, amount: BigInt(amount) })),
      };
