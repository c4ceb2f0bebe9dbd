/**
 * A condition on `pg_locks`, which shows the whole server. Databases of the same tables may have the same numbers for
 * them.
 */
export const IN_THIS_DATABASE = 'database = (SELECT oid FROM pg_database WHERE datname = current_database())';
