import { UnknownClaimsError } from '@roundhouse/chain';
import {
  CertificateRefusedError,
  makeCertificate,
  noteEndProblem,
  recordEndProof,
  type ChainEnd,
} from '@roundhouse/storage';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { onDatabase } from '../database/check-database.js';
import { rulesOf, type IndexerSettings } from '../indexer.config.js';
import {
  problemOf,
  runVerification,
  StatementRefusedError,
  UNDISTURBED,
  type VerificationOptions,
} from '../verify/run-verification.js';

const LISTED_ROWS = 3;

type ProofOptions = Pick<VerificationOptions, 'signal' | 'onProgress'>;

/** Makes the certificate of the last block. Returns why there can be none; null if it is made. */
const certify = async (databaseUrl: string): Promise<string | null> => {
  try {
    await onDatabase(databaseUrl, (client) => makeCertificate(client), {
      application_name: 'roundhouse-certificate',
    });
    return null;
  } catch (error) {
    if (error instanceof CertificateRefusedError) return error.message;
    throw error;
  }
};

/** What keeps the index from being proven; null if nothing does. */
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
    return problemOf(report) ?? (await certify(settings.DATABASE_URL));
  } catch (error) {
    if (error instanceof UnknownClaimsError || error instanceof StatementRefusedError) return error.message;
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
