import { Module } from '@nestjs/common';
import { loadAssets } from '@roundhouse/web';
import { AccountsModule } from '../accounts/accounts.module.js';
import { BlocksModule } from '../blocks/blocks.module.js';
import { DelegatesModule } from '../delegates/delegates.module.js';
import { SearchModule } from '../search/search.module.js';
import { StatusModule } from '../status/status.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { WEB_ASSETS } from './page-headers.js';
import { PageController } from './page.controller.js';
import { PageService } from './page.service.js';
import { Renderings } from './renderings.service.js';
import { TroubleFilter } from './trouble.filter.js';

@Module({
  imports: [BlocksModule, DelegatesModule, StatusModule, AccountsModule, TransactionsModule, SearchModule],
  controllers: [PageController],
  providers: [PageService, Renderings, TroubleFilter, { provide: WEB_ASSETS, useFactory: loadAssets }],
})
export class PageModule {}
