/** A prepared statement: its name is its identity within a session, so one name always has the same text. */
export interface NamedQuery {
  readonly name: string;
  readonly text: string;
}
