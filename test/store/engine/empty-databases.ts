import pg from "pg";

/** Runs `body` with a new empty database, owned by the role `owner` if given. */
export async function withEmptyDatabase(
  serverUrl: string,
  body: (url: string) => Promise<void>,
  owner: string | null = null,
): Promise<void> {
  const name = `ndr_test_${crypto.randomUUID().replaceAll("-", "")}`;
  await onServer(
    serverUrl,
    `create database ${name} ${
      owner === null ? "" : `owner ${owner}`
    } template template0 encoding 'UTF8' locale 'C'`,
  );
  try {
    const url = serverUrl.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
    await body(owner === null ? url : url.replace(/\/\/[^@]*@/, `//${owner}@`));
  } finally {
    await onServer(serverUrl, `drop database ${name} with (force)`);
  }
}

export async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
