import type { Page } from '../page/define-page.js';
import { accountPage } from './account.js';
import { accountsPage } from './accounts.js';
import { blockPage } from './block.js';
import { blocksPage } from './blocks.js';
import { delegatePage } from './delegate.js';
import { delegatesPage } from './delegates.js';
import { overviewPage } from './overview.js';
import { roundsPage } from './rounds.js';
import { searchPage } from './search.js';
import { statisticsPage } from './statistics.js';
import { transactionPage } from './transaction.js';
import { transactionsPage } from './transactions.js';

/** All pages, in the order of the menu. */
export const PAGES: readonly Page[] = [
  overviewPage,
  blocksPage,
  blockPage,
  transactionsPage,
  transactionPage,
  accountsPage,
  accountPage,
  delegatesPage,
  delegatePage,
  roundsPage,
  statisticsPage,
  searchPage,
];
