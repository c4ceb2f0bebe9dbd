import { byId } from './apply-markup.js';

const THEME = 'roundhouse-theme';
const DIGITS = 'roundhouse-all-digits';

/** If storage is forbidden, the choice holds for this page only. */
const remember = (name: string, value: string | null): void => {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Nothing to be done.
  }
};

const recall = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

/** Sets up the switches at the top of the page. assets/theme.js applies the theme before the first paint. */
export const setUpPreferences = (): void => {
  const root = document.documentElement;
  const theme = byId('theme') as HTMLSelectElement;
  theme.value = root.dataset['theme'] ?? 'auto';
  theme.addEventListener('change', () => {
    const isAuto = theme.value === 'auto';
    if (isAuto) delete root.dataset['theme'];
    else root.dataset['theme'] = theme.value;
    remember(THEME, isAuto ? null : theme.value);
  });
  byId('theme-choice').hidden = false;

  const digits = byId('all-digits') as HTMLInputElement;
  digits.checked = recall(DIGITS) === 'true';
  digits.addEventListener('change', () => remember(DIGITS, digits.checked ? 'true' : null));
};
