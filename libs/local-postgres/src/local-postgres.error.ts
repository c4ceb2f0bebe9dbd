/** The embedded PostgreSQL cannot be used; the message is one sentence for the operator and says what to do. */
export class LocalPostgresError extends Error {
  readonly code = 'LOCAL_POSTGRES';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalPostgresError';
  }
}

/** Another live process holds the folder. */
export class FolderInUseError extends Error {
  readonly code = 'FOLDER_IN_USE';

  constructor(
    readonly folder: string,
    /** Null where it has not noted itself yet. */
    readonly pid: number | null,
  ) {
    super(
      `${folder} is in use by ${pid === null ? 'another process' : `process ${pid}`}: stop that one first, or choose another folder.`,
    );
    this.name = 'FolderInUseError';
  }
}
