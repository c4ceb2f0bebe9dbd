import { generateKeyPairSync, randomBytes } from 'node:crypto';
import forge from 'node-forge';

export interface IssuedCertificate {
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
}

const HOUR_MS = 3_600_000;

const newKey = (): {
  pem: string;
  privateKey: forge.pki.rsa.PrivateKey;
  publicKey: forge.pki.rsa.PublicKey;
} => {
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = key.export({ type: 'pkcs1', format: 'pem' }).toString();
  const privateKey = forge.pki.privateKeyFromPem(pem);
  return { pem, privateKey, publicKey: forge.pki.setRsaPublicKey(privateKey.n, privateKey.e) };
};

const nameOf = (commonName: string): forge.pki.CertificateField[] => [
  { name: 'commonName', value: commonName },
];

const unsigned = (commonName: string, publicKey: forge.pki.rsa.PublicKey): forge.pki.Certificate => {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  // The first byte keeps the number positive.
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - HOUR_MS);
  certificate.validity.notAfter = new Date(Date.now() + 24 * HOUR_MS);
  certificate.setSubject(nameOf(commonName));
  return certificate;
};

/** A private certificate authority, which nothing trusts by default. */
export class TestAuthority {
  /** PEM. */
  readonly certificate: string;
  private readonly key = newKey();

  constructor(private readonly name = 'Test authority') {
    const certificate = unsigned(name, this.key.publicKey);
    certificate.setIssuer(nameOf(name));
    certificate.setExtensions([
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ]);
    this.certificate = this.sign(certificate);
  }

  /** Issues a certificate for a server at these addresses, or for a client if there are none. */
  issue(commonName: string, addresses: readonly string[] = []): IssuedCertificate {
    const { pem, publicKey } = newKey();
    const certificate = unsigned(commonName, publicKey);
    certificate.setIssuer(nameOf(this.name));
    const altNames = addresses.map((ip) => ({ type: 7, ip }));
    certificate.setExtensions([
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      ...(altNames.length > 0 ? [{ name: 'subjectAltName', altNames }] : []),
    ]);
    return { certificate: this.sign(certificate), key: pem };
  }

  private sign(certificate: forge.pki.Certificate): string {
    certificate.sign(this.key.privateKey, forge.md.sha256.create());
    return forge.pki.certificateToPem(certificate);
  }
}
