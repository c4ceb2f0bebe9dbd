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
    readonly pid: number,
  ) {
    super(`${folder} is in use by process ${pid}: stop that one first, or choose another folder.`);
    this.name = 'FolderInUseError';
  }
}
