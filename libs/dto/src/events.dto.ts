import { anyText } from './parameters.js';
import { queryDto } from './query-dto.js';

export class EventsQueryDto extends queryDto({
  // Any text is valid: text that cannot be the id of an event counts as the id of an unknown event.
  lastEventId: anyText(
    'The event after which to continue: `lastEventId` of /status.json. Empty means absent.',
  ).optional(),
}) {}
