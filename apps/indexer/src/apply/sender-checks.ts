import {
  problemOfAccountSignatures,
  type AccountKeys,
  type AccountSignatures,
  type SignaturesById,
} from '@roundhouse/blocks';
import { InvalidBlockError, type LedgerBlock, type Network, type OnSender } from '@roundhouse/chain';

interface Check {
  readonly id: string;
  readonly given: AccountSignatures;
  readonly keys: AccountKeys;
}

const NONE: AccountSignatures = { second: null, members: null };

/** The checks of a block's signatures under keys of the senders' accounts: collected while it is applied, then run. */
export class SenderChecks {
  private readonly checks: Check[] = [];

  constructor(private readonly signatures: SignaturesById) {}

  readonly collect: OnSender = ({ id }, { publicKey, secondPublicKey, multiSignature }) => {
    const given = this.signatures.get(id);
    if (given === null) return;
    if (given === undefined && secondPublicKey === null && multiSignature === null) return;
    this.checks.push({ id, given: given ?? NONE, keys: { publicKey, secondPublicKey, multiSignature } });
  };

  /** Throws `InvalidBlockError`. `ignoresUnexpected`: whether second signatures without a key for them are valid. */
  run({ height }: LedgerBlock, ignoresUnexpected: boolean): void {
    for (const { id, given, keys } of this.checks) {
      const problem = problemOfAccountSignatures(given, keys, ignoresUnexpected);
      if (problem !== null) throw new InvalidBlockError(height, `transaction ${id} ${problem}`);
    }
  }
}

/** Core's devnet has such signatures in its first blocks (Core 3.9, `performGenericWalletChecks`). */
export const ignoresUnexpectedSecond = (
  { name }: Network,
  { ignoresSecondSignatures }: { readonly ignoresSecondSignatures: boolean },
): boolean => name === 'devnet' && ignoresSecondSignatures;
