// `npm run simulate`: compiles what is not compiled yet, then runs the simulation.
import './compile.mjs';
await import('./dist/simulate/main.js');
