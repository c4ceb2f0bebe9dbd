import { Module } from '@nestjs/common';
import { loadAssets } from '@roundhouse/web';
import { AccountsModule } from '../accounts/accounts.module.js';
import { BlocksModule } from '../blocks/blocks.module.js';
import { DelegatesModule } from '../delegates/delegates.module.js';
import { HistoryModule } from '../history/history.module.js';
import { SearchModule } from '../search/search.module.js';
import { StatusModule } from '../status/status.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { WEB_ASSETS } from './page-headers.js';
import { PageHistory } from './page-history.service.js';
import { PageController } from './page.controller.js';
import { PageService } from './page.service.js';
import { Renderings } from './renderings.service.js';
import { TroubleFilter } from './trouble.filter.js';

@Module({
  imports: [
    BlocksModule,
    DelegatesModule,
    StatusModule,
    AccountsModule,
    TransactionsModule,
    SearchModule,
    HistoryModule,
  ],
  controllers: [PageController],
  providers: [
    PageService,
    PageHistory,
    Renderings,
    TroubleFilter,
    { provide: WEB_ASSETS, useFactory: loadAssets },
  ],
})
export class PageModule {}
