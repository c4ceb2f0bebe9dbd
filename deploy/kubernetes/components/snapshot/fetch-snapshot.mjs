// Downloads SNAPSHOT_URL as SNAPSHOT into the current folder, and compares checksums: one file if SNAPSHOT ends in .tar, and a folder
// otherwise, whose SHA256SUMS has SNAPSHOT_SHA256. What is there already is not downloaded again.
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';

const { SNAPSHOT, SNAPSHOT_URL, SNAPSHOT_SHA256, SNAPSHOT_PUBLIC_KEY } = process.env;

const download = async (url, path) => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: correct SNAPSHOT_URL.`);
  mkdirSync(dirname(path), { recursive: true });
  await pipeline(response.body, createWriteStream(path));
};

const fetchFile = async (url, path, sha256) => {
  const isThere = existsSync(path);
  const file = isThere ? path : `${path}.part`;
  if (!isThere) await download(url, file);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const found = hash.digest('hex');
  if (found !== sha256) {
    throw new Error(
      `The SHA-256 of ${file} is ${found}, not ${sha256}: ` +
        (isThere ? 'delete the file.' : 'correct SNAPSHOT_URL or SNAPSHOT_SHA256.'),
    );
  }
  if (!isThere) renameSync(file, path);
};

if (SNAPSHOT.endsWith('.tar')) {
  await fetchFile(SNAPSHOT_URL, SNAPSHOT, SNAPSHOT_SHA256);
} else {
  const sums = `${SNAPSHOT}/SHA256SUMS`;
  await fetchFile(`${SNAPSHOT_URL}/SHA256SUMS`, sums, SNAPSHOT_SHA256);
  for (const line of readFileSync(sums, 'utf8').trimEnd().split('\n')) {
    const [sha256, name] = line.split('  ');
    await fetchFile(`${SNAPSHOT_URL}/${name}`, `${SNAPSHOT}/${name}`, sha256);
  }
  const signature = 'manifest.json.minisig';
  if (SNAPSHOT_PUBLIC_KEY) await download(`${SNAPSHOT_URL}/${signature}`, `${SNAPSHOT}/${signature}`);
}
console.log(`${SNAPSHOT} has the expected checksum.`);
