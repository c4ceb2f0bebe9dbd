const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * What is wrong with a URL that parses and yet cannot mean what it says: with a `/`, `?` or `#` in its password, or without
 * `//`, a part of the password counts as path, and would be shown where places are named. Begins with "its …", repeats
 * nothing of the URL; null where it is right.
 */
export const addressMistake = (url: URL): string | null => {
  const { username, password, pathname, search, hash } = url;
  const isPasswordCut = /@/.test(pathname + hash) || (username === '' && search.includes('@'));
  if (isPasswordCut) {
    return 'its user and password end before the last @: begin it with scheme://, and write / as %2F, ? as %3F, # as %23 and @ as %40 within them';
  }
  return [username, password, pathname].every(isDecodable) ? null : 'its % must be written as %25';
};
