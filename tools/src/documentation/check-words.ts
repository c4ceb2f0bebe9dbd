import { tooManyWords } from './count-words.js';
import { readPages } from './pages.js';
import { WORD_LIMITS, WORDS_TOGETHER } from './word-limits.js';

// A part of `npm run lint`: fails if a page of the documentation has grown beyond its limit.
const mistakes = tooManyWords(readPages(), WORD_LIMITS, WORDS_TOGETHER);
for (const mistake of mistakes) console.error(mistake);
process.exitCode = mistakes.length === 0 ? 0 : 1;
