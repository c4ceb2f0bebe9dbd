import { parameter } from './parameters.js';

export class EventsQueryDto {
  // Any text is valid: either it is the id of a known event or not.
  @parameter({
    description: 'The event after which to continue: `lastEventId` of /status.json. Empty means absent.',
    schema: { type: 'string' },
    parse: (text) => text,
  })
  lastEventId?: string;
}
