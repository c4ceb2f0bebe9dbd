import { HASH_BYTES } from '../../bytes/byte-reader.js';
import type { Attributes, Bridgechain } from '../../accounts/attributes.js';
import type { Check, Effect, TypeDefinition } from '../definition.js';
import { problemOfBusiness, problemOfEnd, unlessAllowed } from './checks.js';
import {
  amending,
  MAGISTRATE,
  objectIn,
  partOf,
  readPorts,
  readSeedNodes,
  readTexts,
  writeHash,
  writePorts,
  writeSeedNodes,
  writeText,
  type Json,
} from './fields.js';

const BRIDGECHAIN = ['seedNodes', 'ports', 'bridgechainRepository', 'bridgechainAssetRepository'];

/**
 * Changes the bridgechain that the part of the asset with this name means, if the sender has a business. `change` returns
 * undefined to leave all as it is.
 */
const amendingBridgechain = (
  name: string,
  idKey: string,
  change: (known: Bridgechain | undefined, part: Json) => Bridgechain | undefined,
): Effect =>
  amending((attributes: Attributes, asset) => {
    const { business } = attributes;
    const part = objectIn(asset, name);
    const id = part[idKey];
    if (business === undefined || typeof id !== 'string') return attributes;
    const changed = change(business.bridgechains?.[id], part);
    if (changed === undefined) return attributes;
    return {
      ...attributes,
      business: { ...business, bridgechains: { ...business.bridgechains, [id]: changed } },
    };
  });

/** `problemOf` says what is wrong with the known bridgechain. */
const checking = (
  name: string,
  idKey: string,
  problemOf: (known: Bridgechain | undefined, part: Json, all: readonly Bridgechain[]) => string | null,
): Check =>
  unlessAllowed('bridgechain', (attributes, asset, _transaction, of) => {
    const part = objectIn(asset, name);
    const id = part[idKey];
    const all = attributes.business?.bridgechains ?? {};
    const known = typeof id === 'string' ? all[id] : undefined;
    return problemOfEnd(of) ?? problemOfBusiness(attributes) ?? problemOf(known, part, Object.values(all));
  });

const nameIn = ({ name }: Json): string => String(name).toLowerCase();

const problemOfKnown = (known: Bridgechain | undefined): string | null => {
  if (known === undefined) return 'changes a bridgechain that its sender has not registered';
  return known.resigned ? 'changes a bridgechain that has resigned' : null;
};

export const bridgechainRegistration: TypeDefinition = {
  ...MAGISTRATE,
  write: (writer, { asset }) => {
    const part = partOf(asset, 'bridgechainRegistration', ['name', 'genesisHash', ...BRIDGECHAIN]);
    writeText(writer, part, 'name');
    writeSeedNodes(writer, part);
    writeHash(writer, part, 'genesisHash');
    writeText(writer, part, 'bridgechainRepository');
    writeText(writer, part, 'bridgechainAssetRepository');
    writePorts(writer, part);
  },
  read: (reader) => {
    const name = reader.shortText();
    const seedNodes = readSeedNodes(reader);
    const genesisHash = reader.hex(HASH_BYTES);
    const bridgechainRepository = reader.shortText();
    const assets = readTexts(reader, ['bridgechainAssetRepository']);
    const ports = readPorts(reader);
    const registration = { name, seedNodes, genesisHash, bridgechainRepository, ports, ...assets };
    return { asset: { other: { bridgechainRegistration: registration } } };
  },
  check: checking('bridgechainRegistration', 'genesisHash', (known, part, all) => {
    const isNamed = all.some(({ bridgechainAsset = {} }) => nameIn(bridgechainAsset) === nameIn(part));
    return known === undefined && !isNamed ? null : 'registers a bridgechain that its sender has registered';
  }),
  apply: amendingBridgechain('bridgechainRegistration', 'genesisHash', (_known, bridgechainAsset) => ({
    bridgechainAsset,
  })),
};

export const bridgechainResignation: TypeDefinition = {
  ...MAGISTRATE,
  write: (writer, { asset }) => {
    writeHash(writer, partOf(asset, 'bridgechainResignation', ['bridgechainId']), 'bridgechainId');
  },
  read: (reader) => ({
    asset: { other: { bridgechainResignation: { bridgechainId: reader.hex(HASH_BYTES) } } },
  }),
  check: checking('bridgechainResignation', 'bridgechainId', problemOfKnown),
  apply: amendingBridgechain(
    'bridgechainResignation',
    'bridgechainId',
    (known) => known && { ...known, resigned: true },
  ),
};

export const bridgechainUpdate: TypeDefinition = {
  ...MAGISTRATE,
  write: (writer, { asset }) => {
    const part = partOf(asset, 'bridgechainUpdate', ['bridgechainId', ...BRIDGECHAIN]);
    writeHash(writer, part, 'bridgechainId');
    writeSeedNodes(writer, part);
    writePorts(writer, part);
    writeText(writer, part, 'bridgechainRepository');
    writeText(writer, part, 'bridgechainAssetRepository');
  },
  read: (reader) => {
    const bridgechainId = reader.hex(HASH_BYTES);
    const seedNodes = readSeedNodes(reader);
    const ports = readPorts(reader);
    const texts = readTexts(reader, ['bridgechainRepository', 'bridgechainAssetRepository']);
    const update = {
      bridgechainId,
      ...(seedNodes.length > 0 ? { seedNodes } : {}),
      ...(Object.keys(ports).length > 0 ? { ports } : {}),
      ...texts,
    };
    return { asset: { other: { bridgechainUpdate: update } } };
  },
  check: checking('bridgechainUpdate', 'bridgechainId', problemOfKnown),
  apply: amendingBridgechain(
    'bridgechainUpdate',
    'bridgechainId',
    (known, { bridgechainId: _id, ...part }) =>
      known && { ...known, bridgechainAsset: { ...known.bridgechainAsset, ...part } },
  ),
};
