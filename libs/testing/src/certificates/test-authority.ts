import { randomBytes } from 'node:crypto';
import forge from 'node-forge';

const { md, pki } = forge;

export interface IssuedCertificate {
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
}

const HOUR_MS = 3_600_000;

const nameOf = (commonName: string): forge.pki.CertificateField[] => [
  { name: 'commonName', value: commonName },
];

/** A private certificate authority, which nothing trusts by default. */
export class TestAuthority {
  /** PEM. */
  readonly certificate: string;
  private readonly keys = pki.rsa.generateKeyPair(2048);

  constructor(private readonly name = 'Test authority') {
    this.certificate = this.sign(name, this.keys.publicKey, [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ]);
  }

  /** Issues a certificate for a server at these addresses, or for a client if there are none. */
  issue(commonName: string, addresses: readonly string[] = []): IssuedCertificate {
    const { publicKey, privateKey } = pki.rsa.generateKeyPair(2048);
    const altNames = addresses.map((ip) => ({ type: 7, ip }));
    const certificate = this.sign(commonName, publicKey, [
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      ...(altNames.length > 0 ? [{ name: 'subjectAltName', altNames }] : []),
    ]);
    return { certificate, key: pki.privateKeyToPem(privateKey) };
  }

  private sign(commonName: string, publicKey: forge.pki.rsa.PublicKey, extensions: object[]): string {
    const certificate = pki.createCertificate();
    certificate.publicKey = publicKey;
    // The first byte keeps the number positive.
    certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
    certificate.validity.notBefore = new Date(Date.now() - HOUR_MS);
    certificate.validity.notAfter = new Date(Date.now() + 24 * HOUR_MS);
    certificate.setSubject(nameOf(commonName));
    certificate.setIssuer(nameOf(this.name));
    certificate.setExtensions(extensions);
    certificate.sign(this.keys.privateKey, md.sha256.create());
    return pki.certificateToPem(certificate);
  }
}
