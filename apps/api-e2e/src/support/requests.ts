/** Gets the text of an answer unchanged. */
export const getText = async (base: string, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${base}${path}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

export interface ErrorBody {
  readonly success: boolean;
  readonly error: string;
}

export const getError = async (base: string, path: string, init?: RequestInit) => {
  const response = await fetch(`${base}${path}`, init);
  return { status: response.status, headers: response.headers, body: (await response.json()) as ErrorBody };
};
