/** A rule of Core about blocks and transactions as a node applies them. */
interface Rule {
  /** Where Core has it (packages/…), in its newest version that has the file. */
  readonly core: string;
  /** The first version of Core that has it. */
  readonly since: string;
  /** Core accepts such a block all the same, so this is only a warning. (Default: false) */
  readonly isOnlyWarning?: true;
  /** No table can hold such a block, so no setting accepts it. (Default: false) */
  readonly isFixed?: true;
}

const TRANSACTION = 'core-transactions/src/handlers/transaction.ts';
const SCHEMAS = 'crypto/src/transactions/types/schemas.ts';
const BLOCK = 'crypto/src/blocks/block.ts';
const handler = (name: string): string => `core-transactions/src/handlers/${name}.ts`;
const magistrate = (name: string): string => `core-magistrate-transactions/src/handlers/${name}.ts`;

/** The rules that a block must keep besides its form, its signatures and the order of forgers. */
export const RULES = {
  'slot-order': { core: 'core-kernel/src/utils/is-block-chained.ts', since: '2.1' },
  'future-block': { core: 'core-blockchain/src/process-blocks-job.ts', since: '2.0' },
  'block-version': { core: BLOCK, since: '2.0' },
  'transaction-count': { core: BLOCK, since: '2.0' },
  'transaction-twice': {
    core: 'core-blockchain/src/processor/block-processor.ts',
    since: '2.0',
    isFixed: true,
  },
  'payload-length': { core: 'core-forger/src/methods/method.ts', since: '2.0', isOnlyWarning: true },
  'slot-start': { core: 'core-forger/src/forger-service.ts', since: '2.0', isOnlyWarning: true },
  balance: { core: TRANSACTION, since: '2.0' },
  nonce: { core: TRANSACTION, since: '2.6' },
  fee: { core: SCHEMAS, since: '2.0' },
  'unknown-fee': { core: 'none: a limit of Roundhouse', since: 'none' },
  amount: { core: SCHEMAS, since: '2.3' },
  expiration: { core: BLOCK, since: '2.4' },
  'transaction-time': { core: BLOCK, since: '2.5' },
  'transaction-version': { core: 'crypto/src/transactions/deserializer.ts', since: '2.4' },
  'recipient-network': { core: 'crypto/src/validation/schemas.ts', since: 'none', isOnlyWarning: true },
  vote: { core: handler('one/vote'), since: '2.0' },
  username: { core: 'crypto/src/validation/schemas.ts', since: '2.0' },
  'second-key': { core: handler('one/second-signature-registration'), since: '2.0' },
  resignation: { core: handler('two/delegate-resignation'), since: '2.4' },
  members: { core: handler('two/multi-signature-registration'), since: '2.4' },
  ipfs: { core: handler('two/ipfs'), since: '2.6' },
  payments: { core: handler('two/multi-payment'), since: '2.6' },
  lock: { core: handler('two/htlc-lock'), since: '2.6' },
  claim: { core: handler('two/htlc-claim'), since: '2.6' },
  refund: { core: handler('two/htlc-refund'), since: '2.6' },
  business: { core: magistrate('business-registration'), since: '2.6' },
  bridgechain: { core: magistrate('bridgechain-registration'), since: '2.6' },
  entity: { core: magistrate('entity'), since: '2.7' },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof RULES;

const isFixed = (name: RuleName): boolean => (RULES[name] as Rule).isFixed === true;

/** Those that can be made lenient. */
export const RULE_NAMES = (Object.keys(RULES) as RuleName[]).filter((name) => !isFixed(name));

/** The rule's name, and the setting that accepts a breach. */
export const nameOfRule = (name: RuleName): string =>
  `(rule "${name}"; ${isFixed(name) ? 'no setting accepts it' : `LENIENT_RULES=${name} accepts it`})`;

/** A rule that a block breaks. */
export interface BrokenRule {
  readonly rule: RuleName;
  readonly height: number;
  readonly problem: string;
}

/** The breaches of one rule that were only warned about. */
export interface Warned {
  readonly count: number;
  readonly first: BrokenRule;
}

/** Which rules are in force, and what their breach means. */
export interface RuleOptions {
  /** Rules whose breach is only a warning here. (Default: none but those of which Core itself accepts a breach) */
  readonly lenient?: ReadonlySet<RuleName>;
  /** The most that a transaction of an unknown type may cost, in arktoshi. (Default: 100 tokens) */
  readonly mostUnknownFee?: bigint;
  /** The time in milliseconds since 1970. (Default: absent, so blocks may be of any time) */
  readonly now?: () => number;
}

const DEFAULT_UNKNOWN_FEE = 10_000_000_000n;

/** The rules as an indexer applies them; collects the warnings. */
export class Rules {
  readonly mostUnknownFee: bigint;
  readonly now: (() => number) | null;
  readonly lenient: ReadonlySet<RuleName>;
  /** The breaches since the last call of `takeWarnings` that were only warned about. */
  warned = new Map<RuleName, Warned>();

  constructor({ lenient, mostUnknownFee, now }: RuleOptions = {}) {
    this.lenient = lenient ?? new Set();
    this.mostUnknownFee = mostUnknownFee ?? DEFAULT_UNKNOWN_FEE;
    this.now = now ?? null;
  }

  isLenient(name: RuleName): boolean {
    const rule: Rule = RULES[name];
    return rule.isOnlyWarning === true || this.lenient.has(name);
  }

  warn(broken: BrokenRule): void {
    const { rule } = broken;
    const known = this.warned.get(rule);
    this.warned.set(rule, { count: (known?.count ?? 0) + 1, first: known?.first ?? broken });
  }

  /** Returns the warnings since the last call. */
  takeWarnings(): ReadonlyMap<RuleName, Warned> {
    const { warned } = this;
    if (warned.size > 0) this.warned = new Map();
    return warned;
  }
}
