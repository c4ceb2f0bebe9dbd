export { apiSettings, type ApiSettings } from './api.config.js';
export { AppModule } from './app.module.js';
export { createApiApp, type RunningApi } from './app.js';
export { FairPlaces } from './limits/places.service.js';
