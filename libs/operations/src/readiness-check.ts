/** Whether the process can do its work. */
export abstract class ReadinessCheck {
  /** Why it is not ready, in a sentence; null if it is ready. */
  abstract findObstacle(): Promise<string | null>;

  /** What an operator may want to know besides. It does not make the process unready. */
  abstract get details(): object;
}
