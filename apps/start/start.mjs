// `npm start`: compiles what has changed, then runs the launcher.
import '../../tools/compile.mjs';
await import('./dist/main.js');
