/** `TEST_POSTGRES_BIN` names the folder of another PostgreSQL than the embedded one to test with. */
export const chosenBinaries = (): { binaries?: string } => {
  const binaries = process.env['TEST_POSTGRES_BIN'];
  return binaries === undefined ? {} : { binaries };
};
