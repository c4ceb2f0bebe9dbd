/** The queues. Every job is only a nudge: the tables say what to do. */
export const QueueName = {
  /** Ask the source for its tip and plan what to fetch. */
  Follow: 'follow',
  /** Download one range and stage it. */
  Fetch: 'fetch',
  /** Apply what is staged above the head. Only the leader takes these jobs. */
  Apply: 'apply',
  /** Post what waits for one webhook. Only the leader takes these jobs. */
  Deliver: 'deliver',
} as const;

export type QueueName = (typeof QueueName)[keyof typeof QueueName];
