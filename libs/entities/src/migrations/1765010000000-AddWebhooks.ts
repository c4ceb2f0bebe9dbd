import type { MigrationInterface, QueryRunner } from 'typeorm';

const WEBHOOKS = `
CREATE TABLE roundhouse.webhooks (
  delivered bigint NOT NULL,
  dropped bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  retry_at timestamptz,
  failures integer NOT NULL,
  enabled boolean NOT NULL,
  id text NOT NULL,
  event text NOT NULL,
  target text NOT NULL,
  conditions json NOT NULL,
  token text NOT NULL,
  token_rest bytea NOT NULL,
  CONSTRAINT pk_webhooks PRIMARY KEY (id)
);
COMMENT ON TABLE roundhouse.webhooks IS 'Who is told of events, and how far. Not part of the chain: a reset keeps it.';
COMMENT ON COLUMN roundhouse.webhooks.delivered IS 'The sequence of the last event that was posted, or that it did not ask for.';
COMMENT ON COLUMN roundhouse.webhooks.dropped IS 'Events that waited for it and were dropped, because too many waited.';
COMMENT ON COLUMN roundhouse.webhooks.retry_at IS 'When the next event is posted again. Null unless the last post failed.';
COMMENT ON COLUMN roundhouse.webhooks.failures IS 'Posts that failed since the last one that was accepted.';
COMMENT ON COLUMN roundhouse.webhooks.token IS 'The first half of the token, which each post carries.';
COMMENT ON COLUMN roundhouse.webhooks.token_rest IS 'SHA-256 of the other half, which is stored nowhere.';
`;

const EVENTS = `
CREATE TABLE roundhouse.webhook_events (
  sequence bigint NOT NULL,
  event text NOT NULL,
  data text,
  CONSTRAINT pk_webhook_events PRIMARY KEY (sequence)
);
CREATE INDEX ix_webhook_events__event ON roundhouse.webhook_events (event, sequence);
COMMENT ON TABLE roundhouse.webhook_events IS 'Events that wait for webhooks, written by the transaction that moves the head. Not part of the chain: a reset keeps it.';
COMMENT ON COLUMN roundhouse.webhook_events.data IS 'JSON as it is posted; null if the event has none.';
`;

/** The tokens are for those who write them. New tables are granted to readers by default. */
const CLOSE = `
DO $$
DECLARE
  reader name;
BEGIN
  FOR reader IN SELECT rolname FROM pg_class, aclexplode(relacl) JOIN pg_roles ON pg_roles.oid = grantee
    WHERE pg_class.oid = 'roundhouse.webhooks'::regclass GROUP BY rolname HAVING NOT bool_or(privilege_type = 'INSERT')
  LOOP
    EXECUTE format('REVOKE ALL ON roundhouse.webhooks, roundhouse.webhook_events FROM %I', reader);
  END LOOP;
END
$$`;

/** What programs register for the node's webhooks, and what waits for them. */
export class AddWebhooks1765010000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(WEBHOOKS);
    await queryRunner.query(EVENTS);
    await queryRunner.query(CLOSE);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE roundhouse.webhook_events, roundhouse.webhooks');
  }
}
