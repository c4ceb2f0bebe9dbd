export { OperatorError } from './operator.error.js';
export { readSettings, SettingsError, type Setting, type Settings, type SettingsValues } from './settings.js';
