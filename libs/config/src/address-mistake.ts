const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * Describes a mistake in a URL that parses nevertheless; null if there is none. If the password contains `/`, `?` or
 * `#`, or `//` is missing, part of the password ends up in the path and would be shown in messages. The text begins
 * with "its …" and repeats no part of the URL.
 */
export const addressMistake = (url: URL): string | null => {
  const { username, password, pathname, search, hash } = url;
  const isPasswordCut = /@/.test(pathname + hash) || (username === '' && search.includes('@'));
  if (isPasswordCut) {
    return 'its user and password are not recognised: begin it with scheme://, and write / as %2F, ? as %3F, # as %23 and @ as %40 within them';
  }
  return [username, password, pathname].every(isDecodable) ? null : 'its % must be written as %25';
};
