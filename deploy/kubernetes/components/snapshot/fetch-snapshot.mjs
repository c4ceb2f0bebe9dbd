// Downloads SNAPSHOT_URL as SNAPSHOT into the current folder, unless the file is there, and compares its checksum.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, renameSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';

const { SNAPSHOT, SNAPSHOT_URL, SNAPSHOT_SHA256 } = process.env;

const isThere = existsSync(SNAPSHOT);
const file = isThere ? SNAPSHOT : `${SNAPSHOT}.part`;
if (!isThere) {
  const response = await fetch(SNAPSHOT_URL);
  if (!response.ok) throw new Error(`${SNAPSHOT_URL} answered ${response.status}: correct SNAPSHOT_URL.`);
  await pipeline(response.body, createWriteStream(file));
}

const hash = createHash('sha256');
await pipeline(createReadStream(file), hash);
const found = hash.digest('hex');
if (found !== SNAPSHOT_SHA256) {
  throw new Error(
    `The SHA-256 of ${file} is ${found}, not ${SNAPSHOT_SHA256}: ` +
      (isThere ? 'delete the file.' : 'correct SNAPSHOT_URL or SNAPSHOT_SHA256.'),
  );
}
if (!isThere) renameSync(file, SNAPSHOT);
console.log(`${SNAPSHOT} has the expected checksum.`);
