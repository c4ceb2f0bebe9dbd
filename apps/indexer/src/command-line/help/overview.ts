/** What `indexer --help` says around the list of commands. */
export const overview = {
  usage: `indexer [command]

Consumes blocks from a node into PostgreSQL. Without a command it runs: it follows the chain until it is stopped.`,

  completion: 'print what bash or zsh needs to complete commands and options',

  closing: `"indexer <command> --help" says what a command does, with examples. Settings are environment variables;
docs/configuration.md lists them all. Without DATABASE_URL, a command works on the embedded PostgreSQL that "npm start"
runs in DATA_DIR (.data).

Exit code: 0 done. 1 not done, or something differs: the last line says what to do. 2 of verify and rebuild alone:
it could not be found out. 130 or 143 stopped by Ctrl-C or SIGTERM: nothing is half written, and the last line says how
to go on. A second Ctrl-C ends at once; what is stored stays whole all the same.

Completion: source <(indexer completion), where "indexer" is this program's name in your shell.`,
} as const;
