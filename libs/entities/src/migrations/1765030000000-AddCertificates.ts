import type { MigrationInterface, QueryRunner } from 'typeorm';

const CERTIFICATES = `
CREATE TABLE roundhouse.certificates (
  height integer NOT NULL,
  document text NOT NULL,
  CONSTRAINT pk_certificates PRIMARY KEY (height)
);
CREATE TABLE roundhouse.certificate_pages (
  height integer NOT NULL,
  page integer NOT NULL,
  first_address text COLLATE "C" NOT NULL,
  root bytea NOT NULL,
  leaves text[] NOT NULL,
  CONSTRAINT pk_certificate_pages PRIMARY KEY (height, page)
);
COMMENT ON TABLE roundhouse.certificates IS 'The certificates that were made. Undoing a block removes those of its height and above.';
COMMENT ON COLUMN roundhouse.certificates.document IS 'The bytes of its file.';
COMMENT ON TABLE roundhouse.certificate_pages IS 'The leaves of the trees of certificates by address, 256 to a row.';
COMMENT ON COLUMN roundhouse.certificate_pages.page IS 'From 0.';
COMMENT ON COLUMN roundhouse.certificate_pages.first_address IS 'That of the first leaf.';
COMMENT ON COLUMN roundhouse.certificate_pages.root IS 'The root over the leaves of this row.';
`;

/** Certificates, and the leaves of their trees. */
export class AddCertificates1765030000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(CERTIFICATES);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE roundhouse.certificate_pages, roundhouse.certificates');
  }
}
