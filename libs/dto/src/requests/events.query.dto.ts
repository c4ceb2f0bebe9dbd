import { parameter } from './parameters.js';

export class EventsQueryDto {
  // Any text is valid: text that cannot be the id of an event counts as the id of an unknown event.
  @parameter({
    description: 'The event after which to continue: `lastEventId` of /status.json. Empty means absent.',
    schema: { type: 'string' },
    parse: (text) => text,
  })
  lastEventId?: string;
}
