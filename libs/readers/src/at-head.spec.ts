import { named, rowsAtHead, type ReaderPool, type Statement } from './at-head.js';

describe('rowsAtHead', () => {
  it('sends the id of a head as bytes, however many statements ask at it', async () => {
    const asked: Statement[] = [];
    const pool: ReaderPool = {
      query: (statement) => {
        asked.push(statement);
        return Promise.resolve({ rows: [{}] });
      },
    };
    const head = { height: 7, id: '258' };
    await rowsAtHead(pool, head, named('first', 'SELECT'), 1);
    await rowsAtHead(pool, head, named('second', 'SELECT'));
    const id = Buffer.from('0000000000000102', 'hex');
    expect(asked.map(({ values }) => values)).toEqual([
      [7, id, 1],
      [7, id],
    ]);
  });
});
