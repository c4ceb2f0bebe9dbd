/** What a page tells its reader to do. */
export interface Act {
  readonly kind: 'command' | 'script';
  /** Its last line, or the first one of a script. */
  readonly title: string;
  readonly text: string;
  /** The output that the page shows for it. */
  readonly shown: string | undefined;
}

const FENCED = /^```(\w*)\n(.*?)\n```$/gms;

const fencedBlocks = (markdown: string): { language: string; text: string }[] =>
  [...markdown.matchAll(FENCED)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));

/** One for each line, without its comment. What a line exports counts for the later lines of its block. */
const commandsOf = (block: string): string[] => {
  const lines = block.split('\n').map((line) => line.replace(/\s+#\s.*$/, ''));
  const exported = lines.filter((line) => line.startsWith('export '));
  return lines.filter((line) => !exported.includes(line)).map((line) => [...exported, line].join('\n'));
};

/** All commands and scripts of a page, in order. */
export const actsOf = (markdown: string): Act[] =>
  fencedBlocks(markdown).flatMap(({ language, text }, index, blocks): Act[] => {
    const next = blocks[index + 1];
    const shown = next?.language === 'text' ? next.text : undefined;
    if (language === 'text' || language === '') return [];
    if (language === 'js') return [{ kind: 'script', title: text.split('\n')[0]!, text, shown }];
    if (language !== 'sh') throw new Error(`No test runs blocks of "${language}": write sh, js or text.`);
    const commands = commandsOf(text);
    return commands.map((command, at) => ({
      kind: 'command',
      title: command.split('\n').at(-1)!,
      text: command,
      shown: at === commands.length - 1 ? shown : undefined,
    }));
  });

/** The paths of a cell: after `GET /api/a/b`, `c` and `…/c` in the same cell are short for others. */
const pathsOfCell = (cell: string): string[] => {
  const [first, ...others] = [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
  const path = first!.replace(/^GET /, '');
  const siblings = others.map((code) =>
    code.startsWith('…') ? path + code.slice(1) : path.replace(/[^/]+$/, code),
  );
  return [path, ...siblings];
};

/** All addresses of a page and the paths of all its requests, except those in output that it shows. */
export const addressesOf = (markdown: string): string[] => {
  const text = markdown.replaceAll(FENCED, (_block, language: string, inside: string) =>
    language === 'text' || language === '' ? '' : inside,
  );
  const cells = [...text.matchAll(/^\| (`GET [^|]+)\|/gm)].flatMap(([, cell]) => pathsOfCell(cell!));
  const paths = [...text.matchAll(/`(?:GET )?(\/[^`]*)`/g)].map(([, path]) => path!);
  const urls = [...text.matchAll(/https?:\/\/[^\s'"<>)`]+/g)].map(([url]) => url);
  // "/api/…" stands for many.
  return [...new Set([...cells, ...paths, ...urls])].filter((address) => !address.endsWith('/…'));
};

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Matches the output that a page shows. "…" stands for any text; the blanks at both ends do not matter. */
export const outputLike = (shown: string): RegExp =>
  new RegExp(`^\\s*${shown.trim().split('…').map(escaped).join('.*')}\\s*$`, 's');
