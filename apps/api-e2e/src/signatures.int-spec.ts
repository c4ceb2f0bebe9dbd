import { describeContract } from './support/contract.js';

describeContract('signatures', [
  {
    name: 'the fee of a second signature',
    request: '/api/signatures/fee',
    response: '{"fee":500000000,"success":true}',
  },
]);
