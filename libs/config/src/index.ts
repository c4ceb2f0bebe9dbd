export { readSettings, SettingsError, type Setting, type Settings, type SettingsValues } from './settings.js';
