import { setUpNavigation } from './navigation.js';
import { setUpPreferences } from './preferences.js';
import { StatusPage } from './status-page.js';

const LOOK_AGAIN_MS = 2000;

/** For a page without anything to show yet: reloads it as soon as there is something. */
const lookAgain = (): void => {
  setInterval(() => {
    void fetch('/status.json', { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => ok && location.reload(),
      () => undefined,
    );
  }, LOOK_AGAIN_MS);
};

setUpPreferences();
if ('waiting' in document.body.dataset) lookAgain();
else {
  const page = new StatusPage();
  setUpNavigation(page);
  page.start();
}
