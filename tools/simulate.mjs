// `npm run simulate`: compiles what has changed, then runs the simulation.
import './compile.mjs';
await import('./dist/simulate/main.js');
