import type { LedgerChanges } from '@roundhouse/chain';
import {
  claimDrifts,
  misplacedBlocks,
  rankings,
  roundCandidates,
  roundDigests,
  roundRevisions,
  rounds,
} from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { copyStep, textInto, type WriteStep } from './copy.js';

const claimText = textInto(claimDrifts);
const roundText = textInto(rounds);
const candidateText = textInto(roundCandidates);
const revisionText = textInto(roundRevisions);
const misplacedText = textInto(misplacedBlocks);
const rankingText = textInto(rankings);
const roundDigestText = textInto(roundDigests);

/** Writes rounds, their lists of forgers, and the rankings that chose the forgers. */
export const roundSteps = (client: ClientBase, changes: LedgerChanges): WriteStep[] =>
  copyStep(
    client,
    claimText(changes.claimDrifts),
    roundText(changes.rounds),
    candidateText(changes.roundCandidates),
    revisionText(changes.roundRevisions),
    misplacedText(changes.misplacedBlocks),
    rankingText(changes.rankings),
    roundDigestText(changes.roundDigests),
  );
