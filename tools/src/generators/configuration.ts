import type { Setting, Settings } from '@roundhouse/config';
import { listPrograms } from './programs.js';

const cell = (text: string): string => text.replaceAll('|', '\\|');

const row = ([name, setting]: [string, Setting]): string => {
  const file = setting.isSecret ? ` \`${name}_FILE\` may name a file that holds it.` : '';
  return `| ${[`\`${name}\``, setting.default, setting.description + file].map(cell).join(' | ')} |`;
};

const section = ({ name, settings }: { name: string; settings: Settings }): string => `## ${name}

| variable | default | meaning |
|---|---|---|
${Object.entries(settings).map(row).join('\n')}
`;

const TLS = `## TLS

The URLs of PostgreSQL (\`DATABASE_URL\`, \`DATABASE_READ_URL\`, \`postgres://\` in \`BLOCK_SOURCE\`) take libpq's parameters with libpq's
meaning, so that the same URL serves psql; that of Redis takes those that name files. A file that cannot be used stops the start.

| parameter | meaning |
|---|---|
| \`sslmode\` | \`verify-full\`: encrypted, the certificate's authority and name checked. \`verify-ca\`: the authority alone. \`require\`: encrypted, and the authority checked where \`sslrootcert\` names one. \`disable\`, or absent: not encrypted. \`prefer\` and \`allow\` are refused |
| \`rediss://\` | what \`verify-full\` is for PostgreSQL; \`redis://\` is not encrypted |
| \`sslrootcert\` | a PEM file with the certificates of the authorities to trust. Absent, or \`system\`: those that Node.js trusts, and those of the file in its own variable \`NODE_EXTRA_CA_CERTS\` |
| \`sslcert\`, \`sslkey\` | PEM files with our own certificate and its key, where the server asks for one |

\`postgres://api:…@db.example.com/index?sslmode=verify-full&sslrootcert=/run/secrets/ca.pem\`,
\`rediss://:…@redis.example.com:6380?sslrootcert=/run/secrets/ca.pem\`. PostgreSQL's files are read again for each connection, those for Redis at the start.
`;

/** docs/configuration.md. */
export const configurationPage = async (): Promise<string> => `# Settings

Made by \`npm run generate\` from the \`*.config.ts\` of each program: change the setting there.

Everything is set by environment variables. A value that cannot be used stops the start with one message that names
all that is wrong. \`npm start\` hands its environment on to the programs that it starts, and docker-compose.yml hands on
what its \`.env\` says.

${TLS}
${(await listPrograms()).map(section).join('\n')}`;
