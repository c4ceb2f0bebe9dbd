// `npm start`: compiles what has changed, then runs the launcher.
import './compile.mjs';
await import('./dist/launch.js');
