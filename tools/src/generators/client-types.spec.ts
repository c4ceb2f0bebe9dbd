import type { ApiDocument, Schema } from './api-document.js';
import { clientTypes } from './client-types.js';

const integer = (description: string): Schema => ({ type: 'integer', description });

const documentOf = (properties: Readonly<Record<string, Schema>>): ApiDocument => {
  const schemas = { ThingDto: { type: 'object', properties, required: Object.keys(properties) } };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/ThingDto' } } };
  return { paths: { '/api/thing': { get: { responses: { '200': { content } } } } }, components: { schemas } };
};

describe('the types of the client', () => {
  it('have amounts as bigint and everything else as number', () => {
    const text = clientTypes(
      documentOf({ fee: integer('What it costs, in arktoshi.'), height: integer('Height of the block.') }),
    );
    expect(text).toContain('readonly "fee": bigint;');
    expect(text).toContain('readonly "height": number;');
    expect(text).toContain('new Set(["fee"])');
    expect(text).toContain('readonly "/api/thing": { readonly query: NoQuery; readonly answer: Thing };');
  });

  it('have a parameter once that may be in the path or in the query', () => {
    const { components, paths } = documentOf({ fee: integer('What it costs.') });
    const parameters = ['path', 'query', 'header'].map((place) => ({
      name: 'account',
      in: place,
      required: place === 'path',
      schema: { type: 'string' },
    }));
    const get = { ...paths['/api/thing']!.get!, parameters };
    const text = clientTypes({ components, paths: { '/api/accounts/{account}': { get } } });
    expect(text.match(/"account"\??: .*;/g)).toEqual(['"account": string;']);
  });

  it('cannot be generated if one name is both an amount and a count', () => {
    const one = documentOf({ reward: integer('The reward, in arktoshi.') });
    const other = { type: 'object', properties: { reward: integer('How many rewards.') } };
    const schemas = { ...one.components.schemas, OtherDto: other };
    expect(() => clientTypes({ ...one, components: { schemas } })).toThrow(/"reward" is an amount in one/);
  });

  it('cannot be generated if the document has an unknown type', () => {
    expect(() => clientTypes(documentOf({ ratio: { type: 'fraction' } }))).toThrow(
      /does not know the type "fraction"/,
    );
  });
});
