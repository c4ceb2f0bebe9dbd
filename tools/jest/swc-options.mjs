/** How tests compile the sources. */
export const swcOptions = (type) => ({
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type },
  sourceMaps: 'inline',
});
