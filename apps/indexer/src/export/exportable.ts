import { epochOf, MilestoneSchedule, type BlockRef } from '@roundhouse/chain';
import { OperatorError } from '@roundhouse/config';
import { readChainEnd, readHasDetails, readNetwork, readUndoReach } from '@roundhouse/storage';
import type { ClientBase } from 'pg';

/** An index that can be exported as tables. */
export interface Exportable {
  readonly head: BlockRef;
  /** The newest height that can no longer be undone. */
  readonly final: number;
  /** Whether that is the proven end of the chain. */
  readonly hasEnded: boolean;
  readonly network: { readonly name: string; readonly nethash: string };
  /** In seconds since 1970. */
  readonly epoch: number;
}

/** Throws `OperatorError` if the index is empty, or lacks what a version added. */
export const readExportable = async (client: ClientBase): Promise<Exportable> => {
  const [reach, stored] = [await readUndoReach(client), await readNetwork(client)];
  if (reach === null || stored === null)
    throw new OperatorError('The index is empty: there is nothing to export.');
  if (!(await readHasDetails(client)))
    throw new OperatorError(
      'The index does not have the weights of all rounds: run "indexer rebuild" first.',
    );
  const { name, nethash, milestones } = stored.network;
  const { head, lowest } = reach;
  const epoch = epochOf(new MilestoneSchedule(milestones).at(head.height));
  const hasEnded = (await readChainEnd(client))?.provenAt != null;
  return { head, final: hasEnded ? head.height : lowest, hasEnded, network: { name, nethash }, epoch };
};
