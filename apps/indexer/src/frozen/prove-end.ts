import { UnknownClaimsError } from '@roundhouse/chain';
import { print, printError } from '@roundhouse/logging';
import {
  CertificateRefusedError,
  makeCertificate,
  noteEndProblem,
  readChainEnd,
  recordEndProof,
  type ChainEnd,
} from '@roundhouse/storage';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { Progress } from '../command-line/progress.js';
import { onDatabase } from '../database/check-database.js';
import { rulesOf, type IndexerSettings } from '../indexer.config.js';
import { underWriterLock } from '../leader/writer-lock.js';
import {
  problemOf,
  runVerification,
  StatementRefusedError,
  UNDISTURBED,
  type VerificationOptions,
} from '../verify/run-verification.js';

const LISTED_ROWS = 3;

type ProofOptions = Pick<VerificationOptions, 'signal' | 'onProgress'>;

/** What keeps the index from being proven; null if nothing does: then there is a certificate of the last block. */
const findProblem = async (settings: IndexerSettings, options: ProofOptions): Promise<string | null> => {
  try {
    const report = await runVerification(settings.DATABASE_URL, {
      fromGenesis: true,
      listed: LISTED_ROWS,
      ...UNDISTURBED,
      rules: rulesOf(settings),
      verifiesSignatures: settings.VERIFY === 'full',
      ...options,
    });
    const problem = problemOf(report);
    const session = { application_name: 'roundhouse-certificate' };
    if (problem === null)
      await onDatabase(settings.DATABASE_URL, (client) => makeCertificate(client), session);
    return problem;
  } catch (error) {
    const refusals = [UnknownClaimsError, StatementRefusedError, CertificateRefusedError];
    if (refusals.some((refusal) => error instanceof refusal)) return (error as Error).message;
    throw error;
  }
};

/**
 * Verifies every block of an index at the end of its chain, makes its certificate, and records that. `client` holds the writer's lock. Returns
 * what is wrong, which is recorded, too; null if nothing is.
 */
export const proveEnd = async (
  client: Client,
  settings: IndexerSettings,
  end: ChainEnd,
  logger: Logger,
  options: ProofOptions = {},
): Promise<string | null> => {
  const { height, id } = end;
  logger.info({ height, id }, 'the chain has ended: all blocks are verified');
  const problem = await findProblem(settings, options);
  if (problem !== null) {
    await noteEndProblem(client, height, problem);
    logger.error(
      { found: problem },
      'the index does not match its blocks: nothing was changed. See docs/runbook/monitoring.md, "A verification has found a difference"',
    );
    return problem;
  }
  await recordEndProof(client, height);
  logger.info(
    { height, id },
    'the index of the ended chain is complete and proven: it needs no source any more',
  );
  return null;
};

/** Proves an index that is at the end of its chain, unless that is done. Returns the exit code. */
export const proveAfterSync = async (settings: IndexerSettings, logger: Logger): Promise<number> => {
  const { DATABASE_URL } = settings;
  const end = (await onDatabase(DATABASE_URL, readChainEnd))!;
  if (end.provenAt === null) {
    const progress = new Progress('verifying');
    const onProgress = (height: number): void => progress.show(height, end.height);
    const problem = await underWriterLock(DATABASE_URL, 'sync', (client) =>
      proveEnd(client, settings, end, logger, { onProgress }),
    ).finally(() => progress.end());
    if (problem !== null) {
      printError(
        `The index of the ended chain is not sound: ${problem}`,
        '"indexer verify" lists what is wrong.',
      );
      return 1;
    }
  }
  print(
    `The chain ended at block ${end.height} (${end.id}): the index is complete and proven, and needs no source.`,
  );
  return 0;
};
