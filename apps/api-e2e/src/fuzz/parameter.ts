/**
 * What the contract says about a value: it is valid, malformed, or well-formed but matches nothing. Of a value that only
 * a schema judges, less is known: it fits and may match nothing, or may be refused as well.
 */
type Verdict = 'valid' | 'malformed' | 'unmatched' | 'fitting' | 'unknown';

/** Encoded, as in a URL. */
type Value = readonly [text: string, verdict: Verdict];

export interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly values: readonly Value[];
}

export interface Endpoint {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Whether one of the parameters suffices. */
  readonly areAlternatives?: boolean;
  /** Two of its parameters, the first of which must not be larger. */
  readonly range?: readonly [least: string, most: string];
  /** Whether its path names nothing. */
  readonly isMissing?: boolean;
  /** Whether its path may name nothing. */
  readonly mayBeMissing?: boolean;
  /** Whether its parameters may not fit each other. */
  readonly mayBeRefused?: boolean;
}

export const all = (verdict: Verdict, texts: readonly (string | number)[]): Value[] =>
  texts.map((text) => [String(text), verdict]);
