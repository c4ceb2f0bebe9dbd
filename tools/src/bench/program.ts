import { AppProcess, type AppName } from '@roundhouse/local-postgres';

/** Starts the `run` command of an app, as it is deployed. Shows its errors; its log is not kept. */
export const startProgram = (
  app: AppName,
  environment: NodeJS.ProcessEnv,
  hear: (text: string) => void = () => undefined,
): AppProcess => new AppProcess(app, ['run'], environment, { stderr: 'inherit', hear });
