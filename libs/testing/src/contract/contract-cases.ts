/** The data of the tested chain that the cases need. */
export interface ContractSubject {
  /** A delegate whose username is `username`, in lower-case hex. */
  readonly publicKey: string;
  readonly username: string;
  /** The id of an indexed block. */
  readonly blockId: string;
  /** An indexed height, at least 2. */
  readonly height: number;
}

/** A request and the names of its answer's fields, sorted. */
export type GoodCase = readonly [path: string, keys: readonly string[]];

/** A request that is refused, and what the error message must mention. */
export type BadCase = readonly [path: string, status: number, error: RegExp];

const UNKNOWN_KEY = `02${'ab'.repeat(32)}`;

/** Each endpoint of the contract with good inputs. */
export const goodCases = ({ publicKey, username, blockId, height }: ContractSubject): GoodCase[] => [
  ['/api/signatures/fee', ['fee', 'success']],
  ['/api/loader/autoconfigure', ['network', 'success']],
  ['/api/loader/status', ['blocksCount', 'loaded', 'now', 'success']],
  ['/api/loader/status/sync', ['blocks', 'height', 'id', 'success', 'syncing']],
  ['/api/blocks', ['blocks', 'success']],
  [`/api/blocks/?limit=1&offset=${height - 1}`, ['blocks', 'success']],
  [`/API/Blocks/Get?id=${blockId}&cacheBuster=1`, ['block', 'success']],
  ['/api/blocks/getFees', []],
  ['/api/blocks/getFee', ['fee', 'success']],
  ['/api/blocks/getEpoch', ['epoch', 'success']],
  ['/api/blocks/getHeight', ['height', 'id', 'success']],
  ['/api/blocks/getMilestone', ['milestone', 'success']],
  ['/api/blocks/getNethash', ['nethash', 'success']],
  ['/api/blocks/getReward', ['reward', 'success']],
  [
    '/api/blocks/getStatus',
    ['epoch', 'fee', 'height', 'milestone', 'nethash', 'reward', 'success', 'supply'],
  ],
  ['/api/blocks/getSupply', ['success', 'supply']],
  ['/api/delegates?orderBy=4:desc&limit=007', ['delegates', 'success']],
  [`/api/delegates/voters?publicKey=${publicKey.toUpperCase()}`, ['accounts', 'success']],
  [`/api/delegates/get?publicKey=${publicKey}&username=${username}`, ['delegates', 'success']],
  ['/api/delegates/fee', ['delegate', 'fee', 'success']],
  ['/api/delegates/count', ['count', 'success']],
  [
    `/api/delegates/forging/getForgedByAccount?generatorPublicKey=${publicKey}`,
    ['fees', 'forged', 'rewards', 'success'],
  ],
  [`/api/delegates/search?q=${username.slice(0, 3)}`, ['delegates', 'success']],
  ['/api/delegates/getNextForgers?limit=51', ['currentBlock', 'currentSlot', 'delegates', 'success']],
];

const LIMITED = [
  '/api/blocks?',
  '/api/delegates?',
  '/api/delegates/search?q=a&',
  '/api/delegates/getNextForgers?',
];
const NO_LIMIT = ['abc', '-1', '1.5', '1e3', '', '0', '9999999999999999'];

/** Requests that every chain refuses. */
export const BAD_CASES: readonly BadCase[] = [
  ...LIMITED.flatMap((path): BadCase[] => [
    ...NO_LIMIT.map((limit): BadCase => [`${path}limit=${limit}`, 400, /limit/]),
    [`${path}limit=1&limit=1`, 400, /limit/],
    [`${path}limit=101`, 400, /100|51/],
  ]),
  ['/api/blocks?offset=x', 400, /offset/],
  ['/api/blocks/get', 400, /id/],
  ['/api/blocks/get?id=', 400, /id/],
  ['/api/blocks/get?id=abc', 400, /id/],
  ['/api/blocks/get?id=18446744073709551616', 400, /id/],
  ['/api/blocks/get?id=18446744073709551615', 404, /./],
  ['/api/delegates?orderBy=', 400, /rank/],
  ['/api/delegates?orderBy=bogus:desc', 400, /rank/],
  ['/api/delegates?orderBy=rank:sideways', 400, /asc/],
  ['/api/delegates?orderBy=5', 400, /./],
  ['/api/delegates/voters', 400, /publicKey/],
  ['/api/delegates/voters?publicKey=04ab', 400, /publicKey/],
  [`/api/delegates/voters?publicKey=${UNKNOWN_KEY}`, 404, /./],
  ['/api/delegates/get', 400, /publicKey|username/],
  ['/api/delegates/get?username=longer_than_twenty_chars', 400, /username/],
  [`/api/delegates/get?publicKey=zz&username=genesis_1`, 400, /publicKey/],
  ['/api/delegates/get?username=nobody', 404, /./],
  ['/api/delegates/forging/getForgedByAccount', 400, /generatorPublicKey/],
  [`/api/delegates/forging/getForgedByAccount?generatorPublicKey=${UNKNOWN_KEY}`, 404, /./],
  ['/api/delegates/search', 400, /q/],
  ['/api/delegates/search?q=', 400, /q/],
  ['/api/delegates/search?q=longer_than_twenty_chars', 400, /q/],
  ['/api/delegates/search?q=%00', 400, /./],
  ['/api/delegates/search?q=%zz', 400, /./],
  ['/api/nothing', 404, /./],
];
