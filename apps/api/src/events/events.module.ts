import { Module } from '@nestjs/common';
import { EventLog } from './event-log.service.js';
import { EventStreams } from './event-streams.service.js';
import { EventsController } from './events.controller.js';

@Module({ controllers: [EventsController], providers: [EventLog, EventStreams] })
export class EventsModule {}
