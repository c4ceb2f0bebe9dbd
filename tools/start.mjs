// `npm start`: compiles what is not compiled yet, then runs the launcher.
import './compile.mjs';
await import('./dist/launch.js');
