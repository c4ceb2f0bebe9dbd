/** What a node says, with status 200, when it refuses a request or finds nothing. */
export interface RefusalBody {
  /** Where the fault is: `.limit`, or empty for a missing parameter. Absent if nothing was found. */
  readonly path?: string;
  readonly error: string;
  readonly success: false;
}

/** The client gets `body` with status 200, as from a node. */
export class NodeRefusal extends Error {
  readonly code = 'NODE_REFUSAL';

  constructor(readonly body: RefusalBody) {
    super(body.error);
    this.name = 'NodeRefusal';
  }
}

/** A parameter that the node's validator refuses; `fault` in its words. */
export const refuseParameter = (path: string, fault: string): NodeRefusal =>
  new NodeRefusal({ path, error: fault, success: false });

/** Something that is not there; `error` in the node's words. */
export const refuse = (error: string): NodeRefusal => new NodeRefusal({ error, success: false });
