/** A public key in hexadecimal digits of either case. */
export const PUBLIC_KEY = /^0[23][0-9a-f]{64}$/i;

export const isPublicKey = (text: string): boolean => PUBLIC_KEY.test(text);
