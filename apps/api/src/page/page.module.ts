import { Module } from '@nestjs/common';
import { loadAssets } from '@roundhouse/web';
import { BlocksModule } from '../blocks/blocks.module.js';
import { DelegatesModule } from '../delegates/delegates.module.js';
import { StatusModule } from '../status/status.module.js';
import { WEB_ASSETS } from './page-headers.js';
import { PageController } from './page.controller.js';
import { PageService } from './page.service.js';
import { Renderings } from './renderings.service.js';
import { TroubleFilter } from './trouble.filter.js';

@Module({
  imports: [BlocksModule, DelegatesModule, StatusModule],
  controllers: [PageController],
  providers: [PageService, Renderings, TroubleFilter, { provide: WEB_ASSETS, useFactory: loadAssets }],
})
export class PageModule {}
