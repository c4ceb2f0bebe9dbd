import { saySometimes } from './say-sometimes.js';

describe('saySometimes', () => {
  it('repeats an error every ten seconds, and says another one at once', () => {
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

  it('says the code of an error without a message', () => {
    const said: string[] = [];
    saySometimes((reason) => said.push(reason))(Object.assign(new Error(), { code: 'ECONNREFUSED' }));
    expect(said).toEqual(['ECONNREFUSED']);
  });
});
