import { required, type Payload } from '../payload.js';

export const vote: Payload = (writer, { asset }) => {
  const votes = required(asset?.votes, 'asset.votes');
  writer.u8(votes.length);
  for (const each of votes) writer.u8(each.startsWith('+') ? 1 : 0).hex(each.slice(1));
};
