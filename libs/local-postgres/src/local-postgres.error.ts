/** The embedded PostgreSQL cannot be used. The message is one sentence that tells the operator what to do. */
export class LocalPostgresError extends Error {
  readonly code = 'LOCAL_POSTGRES';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalPostgresError';
  }
}

/** Another running process holds the folder. */
export class FolderInUseError extends Error {
  readonly code = 'FOLDER_IN_USE';

  constructor(
    readonly folder: string,
    /** Null if that process has not written its note yet. */
    readonly pid: number | null,
  ) {
    super(
      `${folder} is in use by ${pid === null ? 'another process' : `process ${pid}`}: stop that one first, or choose another folder.`,
    );
    this.name = 'FolderInUseError';
  }
}
