import { writeAccountChangeCursor, writeAccountCursor, writeTransactionCursor } from '@roundhouse/dto';
import * as chain from '../support/hand-made-chain.js';
import { amount, height, limit, number, offset, share, voterLimit } from './number-parameters.js';
import { documentedEndpoints } from './documented-endpoints.js';
import type { Endpoint, Parameter } from './parameter.js';
import {
  account,
  block,
  blockId,
  cursor,
  exclude,
  format,
  orderBy,
  publicKey,
  search,
  text,
  username,
} from './text-parameters.js';

const TRANSACTION_CURSOR = writeTransactionCursor({ height: 130, sequence: 5, blockId: chain.blockId(130) });
const ACCOUNT_CURSOR = writeAccountCursor({ balance: '7', number: 1 });
const CHANGE_CURSOR = writeAccountChangeCursor({ height: 130, blockId: chain.blockId(130) });

const FILTERS: readonly Parameter[] = [
  account('sender'),
  account('recipient'),
  number('type'),
  number('typeGroup'),
  number('minHeight'),
  number('maxHeight'),
  amount('minAmount'),
  amount('maxAmount'),
  limit(100),
  cursor([TRANSACTION_CURSOR], ACCOUNT_CURSOR),
];

const missing = (path: string): Endpoint => ({ path, parameters: [], isMissing: true });

const none = (path: string): Endpoint => ({ path, parameters: [] });

const MODELLED: readonly Endpoint[] = [
  none('/api/signatures/fee'),
  none('/api/loader/autoconfigure'),
  none('/api/loader/status'),
  none('/api/loader/status/sync'),
  { path: '/api/blocks', parameters: [limit(100), offset] },
  { path: '/api/blocks/get', parameters: [blockId] },
  none('/api/blocks/getFees'),
  none('/api/blocks/getFee'),
  none('/api/blocks/getEpoch'),
  none('/api/blocks/getHeight'),
  none('/api/blocks/getMilestone'),
  none('/api/blocks/getNethash'),
  none('/api/blocks/getReward'),
  none('/api/blocks/getStatus'),
  none('/api/blocks/getSupply'),
  { path: '/api/delegates', parameters: [limit(100), offset, orderBy] },
  { path: '/api/delegates/voters', parameters: [publicKey('publicKey', true), voterLimit, offset] },
  {
    path: '/api/delegates/get',
    parameters: [publicKey('publicKey', false), username],
    areAlternatives: true,
  },
  none('/api/delegates/fee'),
  none('/api/delegates/count'),
  { path: '/api/delegates/forging/getForgedByAccount', parameters: [publicKey('generatorPublicKey', true)] },
  { path: '/api/delegates/search', parameters: [search, limit(100), offset] },
  { path: '/api/delegates/getNextForgers', parameters: [limit(chain.ACTIVE_DELEGATES)] },
  { path: '/api/transactions', parameters: [...FILTERS, account('address'), block] },
  missing(`/api/transactions/${'ab'.repeat(32)}`),
  missing('/api/transactions/unknown'),
  none('/api/blocks/130'),
  none(`/api/blocks/${chain.blockId(7)}`),
  { path: '/api/blocks/130/transactions', parameters: FILTERS },
  missing('/api/blocks/131'),
  missing('/api/blocks/getnothing/transactions'),
  { path: '/api/accounts', parameters: [limit(100), cursor([ACCOUNT_CURSOR], TRANSACTION_CURSOR)] },
  // The username of a delegate; the chain's addresses do not follow from its keys.
  none('/api/accounts/1'),
  { path: '/api/accounts/1/transactions', parameters: FILTERS },
  missing(`/api/accounts/${chain.publicKey(1)}`),
  missing('/api/accounts/nobody'),
  missing('/api/accounts/%F0%9F%98%80'),
  missing(`/api/accounts/${'x'.repeat(3000)}/transactions`),
  { path: '/api/history/supply', parameters: [height('height')] },
  { path: `/api/history/accounts/${chain.address(20)}`, parameters: [height('height')] },
  {
    path: `/api/history/accounts/${chain.address(0)}/changes`,
    parameters: [limit(100), cursor([CHANGE_CURSOR], TRANSACTION_CURSOR)],
  },
  { path: '/api/history/delegates', parameters: [height('height')] },
  { path: `/api/history/delegates/${chain.publicKey(1)}/voters`, parameters: [height('height')] },
  { path: '/api/history/delegates/1/rounds', parameters: [limit(1000)] },
  {
    path: `/api/history/delegates/${chain.publicKey(1)}/payouts`,
    parameters: [height('from'), height('to'), share, amount('minimum'), amount('cap'), exclude, format],
    range: ['from', 'to'],
  },
  missing('/api/history'),
  missing('/api/history/accounts/nobody/changes'),
  missing(`/api/history/delegates/${'x'.repeat(3000)}/rounds`),
  { path: '/api/search', parameters: [text] },
  { path: '/delegates.json', parameters: [{ ...search, isRequired: false }, limit(100), offset, orderBy] },
];

/** Every endpoint on the hand-made chain, which has no transactions. Of those not modelled here, the document foretells less. */
export const ENDPOINTS: readonly Endpoint[] = [...MODELLED, ...documentedEndpoints(MODELLED)];
