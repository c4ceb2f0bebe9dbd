import type {
  AccountResponse,
  BalanceSeriesResponse,
  BlockResponse,
  ChainStatusResponse,
  DailyStatisticsResponse,
  DelegateRoundsResponse,
  SearchResponse,
  StatusDelegatesResponse,
  TransactionsResponse,
  VotersResponse,
  WeightSeriesResponse,
} from '@roundhouse/client';

/** The names of all fields that hold amounts in a type, including those of nested objects. */
type AmountsOf<T> = T extends readonly (infer Item)[]
  ? AmountsOf<Item>
  : T extends object
    ? { [Name in keyof T]: T[Name] extends bigint ? Name : AmountsOf<T[Name]> }[keyof T]
    : never;

/** The compiler checks that this lists exactly the amounts of the answers that the page reads. */
const amounts: Readonly<
  Record<
    AmountsOf<
      | AccountResponse
      | BalanceSeriesResponse
      | BlockResponse
      | ChainStatusResponse
      | DailyStatisticsResponse
      | DelegateRoundsResponse
      | SearchResponse
      | StatusDelegatesResponse
      | TransactionsResponse
      | VotersResponse
      | WeightSeriesResponse
    >,
    true
  >
> = {
  amount: true,
  balance: true,
  fee: true,
  fees: true,
  forged: true,
  locked: true,
  reward: true,
  rewards: true,
  supply: true,
  totalAmount: true,
  totalFee: true,
  totalWeight: true,
  volume: true,
  weight: true,
};

/** An amount in JSON. Inside a string, its quotes would be escaped. The asset of a transaction may have any number there. */
const AMOUNT = new RegExp(`"(${Object.keys(amounts).join('|')})"\\s*:\\s*(-?\\d+)(?=\\s*[,}])`, 'g');

const INTEGER = /^-?\d+$/;

/** In place: an answer has hundreds of objects. */
const reviveAmounts = <T>(value: T): T => {
  if (Array.isArray(value)) for (const item of value) reviveAmounts<unknown>(item);
  else if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, unknown>;
    for (const name in fields) {
      const field = fields[name];
      if (typeof field === 'string' && Object.hasOwn(amounts, name) && INTEGER.test(field))
        fields[name] = BigInt(field);
      else reviveAmounts(field);
    }
  }
  return value;
};

/** Parses an answer of the API, or a part of one. Amounts become `bigint`, with every digit. */
export const parseAnswer = <T>(json: string): T =>
  reviveAmounts(JSON.parse(json.replace(AMOUNT, '"$1":"$2"')) as T);
