import { saySometimes } from './say-sometimes.js';

describe('saySometimes', () => {
  it('says the same error once in a while, and another one at once', () => {
    const said: string[] = [];
    let now = 0;
    const say = saySometimes(
      (reason) => said.push(`${now} ${reason}`),
      () => now,
    );
    for (now = 0; now < 25_000; now += 1_000) say(new Error('away'));
    say(new Error('other'));
    expect(said).toEqual(['0 away', '10000 away', '20000 away', '25000 other']);
  });

  it('names the code where an error has no message', () => {
    const said: string[] = [];
    saySometimes((reason) => said.push(reason))(Object.assign(new Error(), { code: 'ECONNREFUSED' }));
    expect(said).toEqual(['ECONNREFUSED']);
  });
});
