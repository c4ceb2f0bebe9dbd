export { apiSettings, type ApiSettings } from './api.config.js';
export { createApiApp, type RunningApi } from './app.js';
