// Compiles what has changed and shows how far it is. It prints nothing if nothing has changed.
import { relative } from 'node:path';
import { SingleBar } from 'cli-progress';
import ts from 'typescript';

const LINE_EVERY_MS = 2_000;

const bar = () => {
  const shown = new SingleBar({
    format: 'Compiling    [{bar}] {value}/{total} {project}',
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    // Draws every update.
    fps: 1_000,
  });
  return {
    update: (number, total, project) =>
      shown.isActive ? shown.update(number, { project }) : shown.start(total, number, { project }),
    end: () => shown.stop(),
  };
};

/** For a file or a pipe: one line from time to time. */
const lines = () => {
  let lastAt = -Infinity;
  return {
    update: (number, total, project) => {
      if (Date.now() - lastAt < LINE_EVERY_MS) return;
      lastAt = Date.now();
      console.log(`Compiling ${number} of ${total}: ${project}`);
    },
    end: () => undefined,
  };
};

const progress = process.stdout.isTTY ? bar() : lines();

/** Codes of the messages of `tsc --build --verbose`. */
const PROJECTS_IN_THIS_BUILD = 6355;
const BUILDING_PROJECT = 6358;
let projects = [];

const onStatus = ({ code, messageText }) => {
  // The last one is the root, which has no files of its own.
  if (code === PROJECTS_IN_THIS_BUILD) projects = messageText.match(/\S+\.json/g).slice(0, -1);
  if (code !== BUILDING_PROJECT) return;
  const project = relative('.', /'(.+)'/.exec(messageText)[1]);
  progress.update(projects.indexOf(project) + 1, projects.length, project.replace(/\/tsconfig.*/, ''));
};

const onError = (diagnostic) => {
  progress.end();
  const format = { getCanonicalFileName: (name) => name, getCurrentDirectory: ts.sys.getCurrentDirectory };
  console.error(ts.formatDiagnosticsWithColorAndContext([diagnostic], { ...format, getNewLine: () => '\n' }));
};

const host = ts.createSolutionBuilderHost(ts.sys, undefined, onError, onStatus);
// `npm run types` checks the types; checking them here would slow down the first start.
const builder = ts.createSolutionBuilder(host, ['tsconfig.json'], { noCheck: true, verbose: true });
const isCompiled = builder.build() === ts.ExitStatus.Success;
progress.end();
if (!isCompiled) process.exitCode = 1;
