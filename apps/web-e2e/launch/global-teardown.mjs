export default () => globalThis.roundhouseStack?.stop();
