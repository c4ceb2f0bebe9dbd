import { UnknownClaimsError } from '@roundhouse/chain';
import {
  advanceCheckpoint,
  CheckpointRefusedError,
  recordVerification,
  verifyIndex,
  type AdvanceOptions,
  type IndexReport,
} from '@roundhouse/storage';
import { DatabaseError, type Client } from 'pg';
import { onDatabase } from '../database/check-database.js';
import { adviceFor } from '../database/database-trouble.js';
import { findingLines, isSound } from './verify-report.js';

export interface VerificationOptions extends AdvanceOptions {
  /** If the checkpoint cannot get any higher, report only why. (Default: false, the whole index is compared all the same) */
  readonly stopsAtFirst?: boolean;
  /** After how many blocks the last comparison writes its temporary tables. (Default: 50000) */
  readonly flushBlocks?: number;
  /** Ends the verification at once. */
  readonly signal?: AbortSignal;
}

/** For a verification that need not leave time and memory to an indexer; an interrupted one loses at most so many blocks. */
export const UNDISTURBED = { stepBlocks: 20_000, accountCapacity: 100_000 } as const;

/** The first findings of a report, for a log or a table; null if there are none. */
export const problemOf = (report: IndexReport): string | null =>
  isSound(report) ? null : findingLines(report).slice(0, PROBLEM_LINES).join('\n');

const PROBLEM_LINES = 5;

/** The database refused a statement, and will refuse it again: that is a result, and no reason to try again. */
export class StatementRefusedError extends Error {
  readonly code = 'STATEMENT_REFUSED';

  constructor(cause: DatabaseError) {
    super(
      `The database refused a statement of the verification (${cause.message}, ${cause.code}): a table is damaged, or not as ` +
        `"indexer migrate" made it. Restore a backup or a snapshot, or index again.`,
      { cause },
    );
    this.name = 'StatementRefusedError';
  }
}

const isLasting = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && adviceFor(error) === null;

class Verification {
  constructor(
    private readonly databaseUrl: string,
    private readonly options: VerificationOptions,
  ) {}

  async run(): Promise<IndexReport> {
    try {
      const report = await this.verify();
      const { from, head } = report;
      if (head !== null) await this.record(from, head.height, problemOf(report));
      return report;
    } catch (caught) {
      const error = isLasting(caught) ? new StatementRefusedError(caught) : caught;
      if (error instanceof CheckpointRefusedError) await this.record(0, error.height, error.message);
      if (error instanceof UnknownClaimsError || error instanceof StatementRefusedError)
        await this.record(0, 0, error.message);
      throw error;
    }
  }

  private async verify(): Promise<IndexReport> {
    const { from, height, problem } = await this.connected((client) =>
      advanceCheckpoint(client, this.options),
    );
    if (problem !== null && this.options.stopsAtFirst)
      return {
        head: { height, id: '' },
        from,
        ...problem,
        isBroken: problem.badBlocks.length > 0,
        strays: [],
        misplaced: [],
      };
    return { ...(await this.connected((client) => verifyIndex(client, this.options))), from };
  }

  private async record(from: number, height: number, problem: string | null): Promise<void> {
    await this.connected((client) => recordVerification(client, { from, height, problem }));
  }

  /** On a connection of its own: a verification leaves temporary tables and settings behind. */
  private connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { signal } = this.options;
    return onDatabase(this.databaseUrl, work, { application_name: 'roundhouse-verify' }, signal);
  }
}

/**
 * Raises the checkpoint as far as it can, then compares the whole index with what the checkpoint and the blocks above it
 * give, and records what was found. `from` of the report is where the checkpoint was before. Throws
 * `CheckpointRefusedError`, `UnknownClaimsError` and `StatementRefusedError`, which are recorded, too.
 */
export const runVerification = (databaseUrl: string, options: VerificationOptions): Promise<IndexReport> =>
  new Verification(databaseUrl, options).run();
