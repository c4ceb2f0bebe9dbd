export default () => globalThis.roundhouseTestServers.stop();
