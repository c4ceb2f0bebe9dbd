import { attributesOf } from '../accounts/attributes.js';
import { SmallChain } from '../ledger/apply-block.harness.js';
import { keyOf, type Draft } from '../ledger/send.harness.js';
import { TransactionType, type TransactionAsset } from '../transactions/transaction.js';

const carols = (typeGroup: number, type: number, asset: TransactionAsset | null): Draft => ({
  from: 'carol',
  typeGroup,
  type,
  asset,
});
const ipfs = (hash: string): Draft => carols(1, TransactionType.Ipfs, { ipfs: hash });

/** Of group 2, by type. */
const magistrate = (type: number, other: TransactionAsset['other']): Draft =>
  carols(2, type, other === undefined ? null : { other });
const register = (businessRegistration: object): Draft => magistrate(0, { businessRegistration });
const RESIGN = magistrate(1, undefined);
const update = (businessUpdate: object): Draft => magistrate(2, { businessUpdate });
const addChain = (bridgechainRegistration: object): Draft => magistrate(3, { bridgechainRegistration });
const resignChain = (bridgechainId: string): Draft =>
  magistrate(4, { bridgechainResignation: { bridgechainId } });
const updateChain = (bridgechainUpdate: object): Draft => magistrate(5, { bridgechainUpdate });
const entity = (action: number, more: object): Draft =>
  magistrate(6, { type: 1, subType: 2, action, ...more });

describe('what rarer types leave at an account', () => {
  let chain: SmallChain;
  beforeEach(() => {
    chain = new SmallChain();
  });

  const forge = (...drafts: Draft[]): string[] => chain.forge('alice', drafts);
  const attributes = (): unknown => attributesOf(chain.account('carol').attributes);

  it('is nothing at first, and nothing of usual types', () => {
    forge({ from: 'carol', recipientId: null, amount: 0n });
    expect(chain.account('carol').attributes).toBeNull();
  });

  it('is each file once', () => {
    forge(ipfs('Qm2'), ipfs('Qm1'), ipfs('Qm2'));
    expect(chain.account('carol').attributes).toBe('{"ipfs":{"hashes":{"Qm1":true,"Qm2":true}}}');
  });

  it('is the old form of members, which says so', () => {
    const multiSignatureLegacy = { min: 1, lifetime: 24, keysgroup: [`+${keyOf('dave')}`] };
    forge(carols(1, TransactionType.MultiSignature, { multiSignatureLegacy }));
    expect(attributes()).toEqual({ multiSignature: { ...multiSignatureLegacy, legacy: true } });
  });

  it('is a business, updated and resigned', () => {
    forge(register({ name: 'one', website: 'w' }), update({ name: 'two', vat: 'v' }), RESIGN);
    expect(attributes()).toEqual({
      business: { businessAsset: { name: 'two', website: 'w', vat: 'v' }, resigned: true },
    });
  });

  it('is the bridgechains of a business, each updated without its id, and resigned', () => {
    forge(
      register({ name: 'one' }),
      addChain({ genesisHash: 'aa', name: 'a', seedNodes: ['1', '2'] }),
      addChain({ genesisHash: 'bb', name: 'b' }),
      updateChain({ bridgechainId: 'aa', seedNodes: ['3'] }),
      resignChain('bb'),
    );
    expect(attributes()).toEqual({
      business: {
        businessAsset: { name: 'one' },
        bridgechains: {
          aa: { bridgechainAsset: { genesisHash: 'aa', name: 'a', seedNodes: ['3'] } },
          bb: { bridgechainAsset: { genesisHash: 'bb', name: 'b' }, resigned: true },
        },
      },
    });
  });

  it('is entities by the ids of their registrations, updated and resigned', () => {
    const [first] = forge(entity(0, { data: { name: 'one', ipfsData: 'Qm1' } }));
    const [second] = forge(entity(0, { data: { name: 'two' } }));
    forge(entity(1, { registrationId: first, data: { ipfsData: 'Qm2' } }));
    forge(entity(2, { registrationId: second, data: {} }));
    expect(attributes()).toEqual({
      entities: {
        [first!]: { type: 1, subType: 2, data: { name: 'one', ipfsData: 'Qm2' } },
        [second!]: { type: 1, subType: 2, data: { name: 'two' }, resigned: true },
      },
    });
  });

  it.each([
    ['an update of no business', update({ name: 'one' })],
    ['a bridgechain of no business', addChain({ genesisHash: 'aa' })],
    ['an update of no entity', entity(1, { registrationId: 'ab', data: { name: 'x' } })],
    ['the resignation of no entity', entity(2, { registrationId: 'ab' })],
    ['the resignation of no bridgechain', resignChain('aa')],
  ])('does not change by what only an exception of a network allows: %s', (_, draft) => {
    forge(draft);
    expect(chain.account('carol').attributes).toBeNull();
  });

  it('does not depend on the order of keys in an asset', () => {
    forge(register({ website: 'w', name: 'one' }));
    const other = new SmallChain();
    other.forge('alice', [register({ name: 'one', website: 'w' })]);
    expect(chain.account('carol').attributes).toBe(other.account('carol').attributes);
  });

  it('is not kept by an index that an earlier version began', () => {
    chain.ledger.keepsDetails = false;
    forge(ipfs('Qm1'), register({ name: 'one' }));
    expect(chain.account('carol').attributes).toBeNull();
  });
});
