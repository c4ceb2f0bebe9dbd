/** `TEST_POSTGRES_BIN` names the folder of a PostgreSQL to test with instead of the embedded one. */
export const chosenBinaries = (): { binaries?: string } => {
  const binaries = process.env['TEST_POSTGRES_BIN'];
  return binaries === undefined ? {} : { binaries };
};
