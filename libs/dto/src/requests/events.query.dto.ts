import { parameter } from './parameters.js';

export class EventsQueryDto {
  // Whatever it is, it is the id of a known event or not: no text has the wrong form.
  @parameter({
    description: 'The event after which to go on: `lastEventId` of /status.json. Empty is as good as absent.',
    schema: { type: 'string' },
    parse: (text) => text,
  })
  lastEventId?: string;
}
