import { describeApi } from './describe-api.js';

it('describes the API without a database, a port or a provider', async () => {
  const { paths, components } = await describeApi();
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/api/blocks', '/api/delegates/voters', '/status.json', '/events']),
  );
  expect(Object.keys(components?.schemas ?? {})).toContain('ErrorResponseDto');
});
