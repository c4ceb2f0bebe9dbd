/** The three queues. A job in any of them is a nudge: the tables say what there is to do. */
export const QueueName = {
  /** Ask the source for its tip and plan what to fetch. */
  Follow: 'follow',
  /** Download one range and stage it. */
  Fetch: 'fetch',
  /** Apply what is staged above the head; taken by the one process that leads. */
  Apply: 'apply',
} as const;

export type QueueName = (typeof QueueName)[keyof typeof QueueName];
