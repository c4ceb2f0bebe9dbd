export { operationsControllers } from './controllers.js';
export { inTime } from './in-time.js';
export { ReadinessCheck } from './readiness-check.js';
export { ScrapedMetrics } from './scraped-metrics.js';
