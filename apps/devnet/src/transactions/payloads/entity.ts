import { required, type Payload } from '../payload.js';

/** Type group 2, type 6 (core-magistrate-crypto 3.9, `EntityTransaction`). */
export const entity: Payload = (writer, { asset }) => {
  writer
    .u8(
      required(asset?.type, 'asset.type'),
      required(asset?.subType, 'asset.subType'),
      required(asset?.action, 'asset.action'),
    )
    .short(Buffer.from(asset?.registrationId ?? '', 'hex'))
    .short(Buffer.from(asset?.data?.name ?? '', 'utf8'))
    .short(Buffer.from(asset?.data?.ipfsData ?? '', 'utf8'));
};
