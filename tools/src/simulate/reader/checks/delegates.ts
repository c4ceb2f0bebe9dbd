import { whole, type Inspection } from '../inspection.js';

const FORGERS = 10;

export const checkForged =
  (publicKey: string) =>
  (seen: Inspection): void => {
    const [fees, rewards, forged] = ['fees', 'rewards', 'forged'].map((name) => whole(seen.body[name]));
    seen.expect(
      fees !== null && rewards !== null && forged === fees! + rewards!,
      `forged is ${forged}, but fees and rewards are ${fees} and ${rewards}`,
    );
    seen.claimOfHead(`${publicKey} forged ${fees} in fees and ${rewards} in rewards`, (tree, headId) => {
      const expected = tree.forgedBy(publicKey, headId);
      return expected.fees === fees && expected.rewards === rewards;
    });
  };

/**
 * Checks the result of a search: each delegate's number of blocks belongs to one branch, and all belong to one head.
 */
export const checkSearch = (seen: Inspection): void => {
  const found = seen.list('delegates');
  seen.claimOfHead('producedblocks are right', (tree, headId) =>
    found.every(
      ({ publicKey, producedblocks }) => tree.forgedBy(String(publicKey), headId).blocks === producedblocks,
    ),
  );
};

export const checkDelegateList = (seen: Inspection): void => {
  const keys = seen.list('delegates').map(({ publicKey }) => publicKey);
  seen.equal('number of different delegates', new Set(keys).size, keys.length);
};

export const checkVoters = (seen: Inspection): void => {
  const voters = seen.list('accounts');
  voters.forEach((voter, index) => {
    const balance = whole(voter['balance']);
    const before = index > 0 ? whole(voters[index - 1]!['balance']) : balance;
    seen.expect(
      balance !== null && before !== null && before >= balance,
      `the balance of entry ${index} is ${balance}, after ${before}`,
    );
  });
  seen.equal('number of different voters', new Set(voters.map(({ address }) => address)).size, voters.length);
};

export const checkNextForgers = (seen: Inspection): void => {
  seen.equal('currentBlock', seen.body['currentBlock'], seen.headHeight);
  const forgers = seen.body['delegates'];
  const keys = Array.isArray(forgers) ? forgers : [];
  seen.equal('number of forgers', keys.length, FORGERS);
  seen.equal('number of different forgers', new Set(keys).size, keys.length);
};
