import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  idText,
  isSignedBy,
  parsePublicKey,
  parseSecretKey,
  parseSignature,
  signMessage,
  type SecretKey,
} from './minisign.js';

// Made by minisign 0.11, but for the two keys with few operations. Those are the same key, encrypted with Python's
// hashlib, with limits of which libsodium makes other parameters; minisign signs with them.
const PUBLIC = `untrusted comment: minisign public key 8B5499AA89A20895
RWSVCKKJqplUiz1B0XjnGRz2qMu4Xihk0kVUnRihtG9BHjMlZU/MYAAt
`;
const OTHER = 'RWSEdFuMmPqXdjFEVxJiwJoPhstY1a/R7SVnRbITdIIOWQpA55yqLril';
const SECRET_COMMENT = 'untrusted comment: minisign encrypted secret key\n';
const PLAIN = `${SECRET_COMMENT}RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlQiiiaqZVIvCern5WDIcP7I62l7iZY/a4m/oRsqSe5JCoEVk4SYcDj1B0XjnGRz2qMu4Xihk0kVUnRihtG9BHjMlZU/MYAAtAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
`;
const FEW_OPERATIONS = `${SECRET_COMMENT}RWRTY0IyAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8AgAAAAAAAAAAAAAEAAAAASwQ2peN295KxJh23RMG3t8o7CsR4DSuvX1M5LMBJlzhW4OWofY8LFvZdo8w1lSKZmUDFPUeeXY6s0qsyvBTb/Zf14X1y9B3YBt2XShg1OFleAmQALOIURwoixhP+pTh2vjmG8QtP7dM=
`;
const LITTLE_MEMORY = `${SECRET_COMMENT}RWRTY0IyAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8AABAAAAAAAAAAEAAAAAAAYnRJzvz2wbQiH3Ok1RguXX3oi0EmsjmOJAB4lEt/fATLGod7nNDUDguZnLdoOn4Jt+fEJ4Zs0I8aH2iRoZmDeV3ZAidyDfy9OqUpCXEmqBmfAfsUDOreMtt6ainMt9vejOFHqbsxQGA=
`;
const MESSAGE = Buffer.from('hello\n');
const COMMENT = 'a comment';
const SIGNED = `untrusted comment: signature from minisign secret key
RUSVCKKJqplUi6163x6UxEi6RnxySSSTG5i0RABAe9pPcyvohj3s34Ye9ej1Zbie5tzJA5nFkSyR27Zhtgp50hlik+HPZGHHnQU=
trusted comment: ${COMMENT}
DMo2e1LGaW3NGTcg/vFvaGII6m6frS2oF6IrjFPIfQF87BB4pHVALc8C0nUqmiIZbKsQYFF9Zpwos8/tQNJBCQ==
`;
/** By "minisign -S -l", as all signatures before 0.10. */
const SIGNED_WITHOUT_HASH = `untrusted comment: signature from minisign secret key
RWSVCKKJqplUiybHUJY5vt5vw8jBGMYXPsY0JKnUZhSBTdbsTRAqaKwaxa3NfCvTA1OUUmkPiC+EFJ0l5jhE1Du6xwMdWSvMUww=
trusted comment: legacy
FVZ0uAsOWWRRCspC+IOOvpU7GBXkJp4WZyFmLP0ZDso8PAJI3RwJW6AhQMUS6QMpvRVrGjJjW4Z+dz2QtETzBQ==
`;

const keyOf = async (text: string, password?: string): Promise<SecretKey> => {
  const key = await parseSecretKey(text, password);
  if (typeof key === 'string') throw new Error(key);
  return key;
};

const isValid = (message: Buffer, text: string, publicKey = PUBLIC): boolean =>
  isSignedBy(message, parseSignature(text)!, parsePublicKey(publicKey)!);

describe('the form of minisign', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-minisign-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['a key that is not encrypted', PLAIN, undefined],
    ['an encrypted key', FEW_OPERATIONS, 'secret'],
    ['a key that is encrypted with little memory', LITTLE_MEMORY, 'secret'],
  ])('signs with %s, byte for byte as the program', async (_, text, password) => {
    expect(signMessage(MESSAGE, await keyOf(text, password), COMMENT)).toBe(SIGNED);
  });

  it('is accepted by the program, if there is one', async () => {
    const [message, publicKey] = [join(folder, 'message'), join(folder, 'minisign.pub')];
    const other = Buffer.from('another message');
    const signature = signMessage(other, await keyOf(PLAIN), 'another comment');
    writeFileSync(message, other);
    writeFileSync(`${message}.minisig`, signature);
    writeFileSync(publicKey, PUBLIC);
    expect(isValid(other, signature)).toBe(true);
    if (spawnSync('minisign', ['-v']).error !== undefined) return;
    const said = execFileSync('minisign', ['-Vm', message, '-p', publicKey], { encoding: 'utf8' });
    expect(said).toMatch(/Trusted comment: another comment/);
  });

  it.each([SIGNED, SIGNED_WITHOUT_HASH, SIGNED.replaceAll('\n', '\r\n')])(
    'proves message and comment: %j',
    (text) => {
      expect(isValid(MESSAGE, text)).toBe(true);
      expect(isValid(MESSAGE, text, PUBLIC.split('\n')[1])).toBe(true);
      expect(isValid(Buffer.from('hallo\n'), text)).toBe(false);
      expect(isValid(MESSAGE, text, OTHER)).toBe(false);
      expect(isValid(MESSAGE, text.replace(/(comment|legacy)(\r?\n)/g, 'other$2'))).toBe(false);
    },
  );

  it('says what is wrong with a secret key', async () => {
    expect(await parseSecretKey(FEW_OPERATIONS)).toBe('encrypted');
    expect(await parseSecretKey(FEW_OPERATIONS, 'Secret')).toBe('wrong password');
    expect(await parseSecretKey(PUBLIC)).toBe('no key');
    expect(await parseSecretKey(PLAIN.replace('lQiiiaqZVIvCern5', 'lQiiiaqZVIvDern5'))).toBe('no key');
    expect(await parseSecretKey('')).toBe('no key');
  });

  it('refuses what is no key and no signature', () => {
    for (const text of ['', OTHER.slice(1), `${OTHER}A`, PLAIN, 'minisign.pub'])
      expect(parsePublicKey(text)).toBeNull();
    const lines = SIGNED.split('\n');
    for (const at of [0, 1, 2, 3])
      expect(parseSignature(lines.toSpliced(at, 1, `x${lines[at]}`).join('\n'))).toBeNull();
    expect(parseSignature('')).toBeNull();
    expect(parseSignature(PUBLIC)).toBeNull();
  });

  it('has ids as the program prints them', () => {
    expect(idText(parsePublicKey(PUBLIC)!.id)).toBe('8B5499AA89A20895');
  });
});
