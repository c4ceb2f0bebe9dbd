import { required, type Payload } from '../payload.js';

export const delegateRegistration: Payload = (writer, { asset }) => {
  writer.short(Buffer.from(required(asset?.delegate, 'asset.delegate').username, 'utf8'));
};
