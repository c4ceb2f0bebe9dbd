import { Rules } from '@roundhouse/chain';
import { indexerSettings, type IndexerSettings } from '../indexer.config.js';

const { LENIENT_RULES, MAX_UNKNOWN_FEE } = indexerSettings;

/** The settings of every program that applies blocks. */
export const ruleSettings = { LENIENT_RULES, MAX_UNKNOWN_FEE };

/** The rules that an operator wants kept, with the clock of this machine. */
export const rulesOf = (settings: Pick<IndexerSettings, keyof typeof ruleSettings>): Rules =>
  new Rules({
    lenient: settings.LENIENT_RULES,
    mostUnknownFee: settings.MAX_UNKNOWN_FEE,
    now: () => Date.now(),
  });
