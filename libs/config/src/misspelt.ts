import { distance } from 'fastest-levenshtein';
import type { Settings } from './settings.js';

const sorted = (name: string): string => [...name].sort().join('');

const isNear = (name: string, setting: string): boolean => {
  const changes = distance(name, setting);
  return changes <= Math.min(setting.length / 5, 2) || (changes === 2 && sorted(name) === sorted(setting));
};

/** A sentence for each variable that is no setting, but nearly has the name of one: a misspelt setting has no effect. */
export const misspelt = (
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): string[] => {
  const known = Object.entries(settings).flatMap(([name, { isSecret }]) =>
    isSecret ? [name, `${name}_FILE`] : [name],
  );
  return Object.keys(environment)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((setting) => isNear(name, setting));
      return meant === undefined ? [] : [`${name} is no setting and has no effect: ${meant} is one.`];
    });
};
