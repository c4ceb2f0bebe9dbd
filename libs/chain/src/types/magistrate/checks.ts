import { attributesOf, type Attributes } from '../../accounts/attributes.js';
import type { Transaction } from '../../transactions/transaction.js';
import type { Check, TypeCheck } from '../definition.js';
import type { Json } from './fields.js';

/** What a transaction does that its sender's attributes do not allow, to follow its id in a sentence; null if nothing. */
type ProblemOf = (
  attributes: Attributes,
  asset: Json,
  transaction: Transaction,
  of: TypeCheck,
) => string | null;

/** Holds a rule of type group 2, if the index knows the attributes of all accounts. */
export const unlessAllowed =
  (rule: 'business' | 'bridgechain' | 'entity', problemOf: ProblemOf): Check =>
  (transaction, sender, of) => {
    if (!of.ledger.keepsDetails) return;
    const asset = transaction.asset?.other ?? {};
    const problem = problemOf(attributesOf(sender.attributes), asset, transaction, of);
    if (problem !== null) of.broken(rule, problem, transaction);
  };

/** AIP 36 put entities in place of businesses and bridgechains (Core 2.7 to 3.9, `isActivated`). */
export const problemOfEnd = ({ constants, constantsBelow }: TypeCheck): string | null =>
  constants.aip36 && constantsBelow.aip36 ? 'is of a type that AIP 36 has ended' : null;

export const problemOfBusiness = ({ business }: Attributes): string | null => {
  if (business === undefined) return 'needs a business, but its sender has none';
  return business.resigned ? 'needs a business, but that of its sender has resigned' : null;
};
