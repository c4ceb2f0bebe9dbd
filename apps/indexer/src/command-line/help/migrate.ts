import type { Help } from '../command.js';

export const migrateHelp: Help = {
  summary: "bring the database's schema and roles up to date",
  text: `Brings the schema of the index and of the queues to what this version needs, and makes or updates the roles of api and
indexer where their passwords are given. It can be run again at any time, also while everything runs.`,
  examples: [
    ['DATABASE_URL=postgres://owner@localhost/roundhouse indexer migrate', 'as the owner of the database'],
  ],
  closing: `Needs DATABASE_URL, as the owner. Exit code: 0 when all is up to date, 1 when it is not: run it again.`,
};
