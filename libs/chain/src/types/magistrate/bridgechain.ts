import { HASH_BYTES } from '../../bytes/byte-reader.js';
import type { TypeDefinition } from '../definition.js';
import {
  MAGISTRATE,
  partOf,
  readPorts,
  readSeedNodes,
  readTexts,
  writeHash,
  writePorts,
  writeSeedNodes,
  writeText,
} from './fields.js';

const BRIDGECHAIN = ['seedNodes', 'ports', 'bridgechainRepository', 'bridgechainAssetRepository'];

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
};

export const bridgechainResignation: TypeDefinition = {
  ...MAGISTRATE,
  write: (writer, { asset }) => {
    writeHash(writer, partOf(asset, 'bridgechainResignation', ['bridgechainId']), 'bridgechainId');
  },
  read: (reader) => ({
    asset: { other: { bridgechainResignation: { bridgechainId: reader.hex(HASH_BYTES) } } },
  }),
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
};
