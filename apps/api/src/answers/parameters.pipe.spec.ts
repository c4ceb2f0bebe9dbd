import { describe, expect, it } from '@jest/globals';
import { AccountPathDto, BlocksQueryDto } from '@roundhouse/dto';
import { joinParameters, ParametersPipe, parametersOf } from './parameters.pipe.js';

const pipe = new ParametersPipe();

const readQuery = (query: object): unknown =>
  pipe.transform(query as never, { type: 'query', metatype: BlocksQueryDto });

const readPath = (account: string, query: object): unknown => {
  const params = { account };
  joinParameters({ params, query });
  return pipe.transform(params, { type: 'param', metatype: AccountPathDto });
};

describe('ParametersPipe', () => {
  it('reads what is declared, and what a pipe before it has put in', () => {
    expect(readQuery({ limit: '5', x: ['1', '2'] })).toEqual({ limit: 5, offset: 0 });
    expect(readQuery({ limit: 5, offset: ['3'] })).toEqual({ limit: 5, offset: 3 });
  });

  it('refuses what is given more than once', () => {
    expect(() => readQuery({ limit: ['5', '5'] })).toThrow('"limit" is given more than once');
    expect(() => readQuery({ limit: [5, 5] })).toThrow('"limit" is given more than once');
  });

  it('reads a segment of a path, or the query where the path has -', () => {
    expect(readPath('a', { b: '1' })).toEqual({ account: 'a' });
    expect(readPath('-', { account: '..' })).toEqual({ account: '..' });
    expect(() => readPath('a', { account: ['b', 'c'] })).toThrow('"account" is given more than once');
  });

  it('notes what it has read', () => {
    const query = { limit: '5' };
    readQuery(query);
    expect(parametersOf({ params: {}, query }, false)).toEqual({ limit: 5, offset: 0 });
  });
});
