/** What the contract says about a value: it is valid, malformed, or well-formed but matches nothing. */
type Verdict = 'valid' | 'malformed' | 'unmatched';

/** Encoded, as in a URL. */
type Value = readonly [text: string, verdict: Verdict];

export interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly values: readonly Value[];
}

export const all = (verdict: Verdict, texts: readonly (string | number)[]): Value[] =>
  texts.map((text) => [String(text), verdict]);
